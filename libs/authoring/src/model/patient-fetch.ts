import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A name look-up, connection and TLS handshake that take longer than this count as unreachable. */
const CONNECT_TIMEOUT_MS = 8_000;
const MAX_BODY_BYTES = 32 * 1024 ** 2;

/**
 * `fetch` for model calls: it gives up on connecting after 8 s, and then waits for an answer as long as the caller's signal
 * lets it. The built-in fetch ends at 5 minutes without headers, which a slow local model exceeds. Redirects are not
 * followed, so that a key goes to no other host.
 */
export async function patientFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const body = typeof init.body === 'string' ? init.body : undefined;
  if (init.body !== undefined && init.body !== null && body === undefined) throw new TypeError('patientFetch sends text bodies only');
  const headers: Record<string, string> = Object.fromEntries(new Headers(init.headers).entries());
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
  headers['accept-encoding'] = 'identity';
  const message = await connect(url, { method: init.method ?? 'GET', headers, body, signal: init.signal ?? undefined });
  const bytes = await readBody(message);
  const responseHeaders = new Headers();
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') responseHeaders.set(name, value);
  const status = message.statusCode ?? 502;
  return new Response(status === 204 || status === 304 ? null : new Uint8Array(bytes), { status, headers: responseHeaders });
}

interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

function connect(url: URL, { method, headers, body, signal }: Outgoing): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = start(url, { method, headers, signal, agent: false });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)), CONNECT_TIMEOUT_MS);
    outgoing.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer)));
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.end(body);
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error(`the answer is bigger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
