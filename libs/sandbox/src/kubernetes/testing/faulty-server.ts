import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connectTo } from '../kube-connection.js';
import type { KubeConnection, KubeConnectionOptions } from '../kube-connection.js';

/** What a test's server does with one request. */
export type Reply = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A plain HTTP server that misbehaves as a test asks: it is no API server and knows nothing of objects. */
export interface FaultyServer {
  url: string;
  requests: SeenRequest[];
  /** Connections that were ever opened. */
  readonly connections: number;
  connect(options?: Partial<KubeConnectionOptions>): KubeConnection;
  close(): Promise<void>;
}

/** Starts a server that gives the replies in turn; the last one stays. */
export async function startFaultyServer(...replies: Reply[]): Promise<FaultyServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const opened: KubeConnection[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    void serve(incoming, response);
  });
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    const seen: SeenRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    requests.push(seen);
    await replies[Math.min(requests.length, replies.length) - 1]?.(seen, response);
  }
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    get connections() {
      return connections;
    },
    connect(options = {}) {
      const connection = connectTo({ server: url, authority: null, token: null, client: null, ...options });
      opened.push(connection);
      return connection;
    },
    async close() {
      for (const connection of opened) connection.close();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with a status and JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with a Status object, as an API server does when it refuses. */
export function statusReply(code: number, reason: string, message: string, headers: Record<string, string> = {}): Reply {
  return json(code, { kind: 'Status', code, reason, message }, headers);
}

/** Takes the request and never answers. */
export const silence: Reply = () => undefined;

/** Cuts the connection without an answer. */
export const cut: Reply = (_, response) => {
  response.socket?.destroy();
};

/** Sends lines, and then ends, cuts the connection or goes on without a byte. */
export function lines(texts: readonly (string | Record<string, unknown>)[], then: 'end' | 'cut' | 'silence'): Reply {
  return async (_, response) => {
    response.writeHead(200);
    response.flushHeaders();
    for (const text of texts) {
      const line = typeof text === 'string' ? text : JSON.stringify(text);
      await new Promise((settle) => response.write(`${line}\n`, settle));
    }
    if (then === 'end') response.end();
    else if (then === 'cut') setTimeout(() => response.socket?.destroy(), 20);
  };
}
