import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** One request as the stub saw it. */
export interface SeenRequest {
  method: string;
  /** Without the query. */
  path: string;
  authorization: string | undefined;
  body: string;
}

/** What the stub answers. */
export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A server that answers as it is told: for what the test node has not got (credentials, TLS, other products, overload). */
export interface StubServer {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** Starts a stub on a free port of the loopback device; `null` from `answer` leaves a request without an answer. */
export async function startStub(
  answer: (request: SeenRequest) => StubAnswer | null,
  tls?: { key: string; cert: string },
): Promise<StubServer> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (incoming, outgoing) => {
    void readBody(incoming).then((body) => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url?.split('?')[0] ?? '',
        authorization: incoming.headers.authorization,
        body,
      };
      seen.push(request);
      const given = answer(request);
      if (given === null) return;
      outgoing.writeHead(given.status ?? 200, {
        'content-type': 'application/json',
        'x-elastic-product': 'Elasticsearch',
        ...given.headers,
      });
      outgoing.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}));
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
