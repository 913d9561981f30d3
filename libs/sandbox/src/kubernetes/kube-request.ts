import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { AppError } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';

/** One request to an API server. */
export interface KubeRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From `/api` or `/apis` on; names in it are checked by whoever builds it (`resourcePath`). */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Asks for names, labels and annotations alone (Kubernetes API, "Metadata-only fetches"). */
  metadataOnly?: boolean;
  /** How long the server may take to begin its answer, and to go on with it. */
  timeoutMilliseconds: number;
  signal?: AbortSignal;
}

/** What a server answered, whatever its status: a conflict or a missing object is an answer, not an error. */
export interface KubeAnswer {
  status: number;
  /** Parsed JSON; null where there is none. Fields are as on the wire: times are texts, no name is changed, nothing is left out. */
  body: unknown;
  /** What the server said went wrong; null where it did not. */
  failure: { reason: string; message: string } | null;
  /** The wait that it asked for; null = none. */
  retryAfterSeconds: number | null;
}

const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
/** Of a text that is no JSON, such as a proxy's page. */
const MAX_MESSAGE_CHARACTERS = 500;
const MAX_FAILURE_PIECES = 64;
/** A server's own wish is followed up to here. */
const MAX_RETRY_AFTER_SECONDS = 120;
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** Merge patches: the one kind that a plain object is. */
const PATCH_TYPE = 'application/merge-patch+json';

/**
 * Sends a request and reads the whole answer.
 *
 * @throws AppError `cluster-unreachable` where no answer came, or not all of it, or not in time; the signal's reason where it was aborted.
 */
export async function sendRequest(connection: KubeConnection, request: KubeRequest): Promise<KubeAnswer> {
  const message = await openAnswer(connection, request);
  const bytes = await readAll(message, request);
  return answerOf(message, bytes);
}

/**
 * Sends a request and gives the answer as soon as it begins, for streams. Whoever takes it reads or destroys it. Errors as `sendRequest`.
 */
export async function openAnswer(connection: KubeConnection, request: KubeRequest): Promise<IncomingMessage> {
  const token = await connection.token();
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers: Record<string, string> = {
    accept: request.metadataOnly === true ? METADATA_LIST : 'application/json',
    'user-agent': 'reenact',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': request.method === 'PATCH' ? PATCH_TYPE : 'application/json' }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const url = new URL(connection.server);
  url.pathname = url.pathname.replace(/\/$/, '') + request.path;
  url.search = new URLSearchParams(request.query).toString();
  request.signal?.throwIfAborted();
  try {
    return await begin({ url, headers, body }, connection, request);
  } catch (error) {
    // An idle connection that the server had just closed: the request never arrived, and reading twice does no harm.
    if (!(error instanceof StaleSocket) || request.method !== 'GET') throw unreachable(connection, request, error);
    return begin({ url, headers, body }, connection, request).catch((again: unknown) => {
      throw unreachable(connection, request, again);
    });
  }
}

/** A connection that was kept open turned out to be closed. */
class StaleSocket extends Error {}

interface Outgoing {
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

function begin({ url, headers, body }: Outgoing, connection: KubeConnection, request: KubeRequest): Promise<IncomingMessage> {
  return new Promise((settle, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const { method, signal, timeoutMilliseconds } = request;
    const outgoing = start(url, { method, headers, agent: connection.agent, ...(signal === undefined ? {} : { signal }) });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMilliseconds / 1000} s`)), timeoutMilliseconds);
    outgoing.on('response', (message) => {
      clearTimeout(timer);
      // Whoever reads the stream meets its errors; one that comes when nobody reads any more must not end the process.
      message.on('error', () => undefined);
      settle(message);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(outgoing.reusedSocket && error.code === 'ECONNRESET' ? new StaleSocket(error.message) : error);
    });
    outgoing.end(body);
  });
}

async function readAll(message: IncomingMessage, request: KubeRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksWithin(message, request.timeoutMilliseconds)) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is bigger than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    throw new AppError('cluster-unreachable', `the answer to ${request.method} ${request.path} broke off: ${wordsOf(error)}`, {
      cause: error,
    });
  }
  return Buffer.concat(chunks);
}

/**
 * The bytes of an answer as they come; a pause of `silenceMilliseconds` ends it with an error, so that a connection whose other side is
 * gone is not waited for. The reader's own time does not count. The stream is destroyed when the reader stops early.
 */
export async function* chunksWithin(message: IncomingMessage, silenceMilliseconds: number): AsyncGenerator<Buffer> {
  const arm = (): NodeJS.Timeout =>
    setTimeout(() => message.destroy(new Error(`silent for ${silenceMilliseconds / 1000} s`)), silenceMilliseconds);
  let timer = arm();
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      yield chunk;
      timer = arm();
    }
  } finally {
    clearTimeout(timer);
    message.destroy();
  }
}

/** What went wrong by the body of an answer that began as a stream and is none; of a body that does not end, the first 64 pieces. */
export async function readFailure(chunks: AsyncIterable<Buffer>, status: number): Promise<{ reason: string; message: string }> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) if (parts.push(chunk) === MAX_FAILURE_PIECES) break;
  const text = Buffer.concat(parts).toString('utf8');
  return failureOf(parseJson(text), text, status);
}

function answerOf(message: IncomingMessage, bytes: Buffer): KubeAnswer {
  const status = message.statusCode ?? 0;
  const text = bytes.toString('utf8');
  const body = parseJson(text);
  const failed = status < 200 || status > 299;
  return { status, body, failure: failed ? failureOf(body, text, status) : null, retryAfterSeconds: retryAfter(message) };
}

/** What went wrong by a Status object, or by the text that came in its place. */
export function failureOf(body: unknown, text: string, status: number): { reason: string; message: string } {
  const { reason, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return {
    reason: typeof reason === 'string' && reason !== '' ? reason : `HTTP ${status}`,
    message: typeof message === 'string' ? message : text.slice(0, MAX_MESSAGE_CHARACTERS),
  };
}

/** The value of a JSON text; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Seconds of a `Retry-After` header; null where there is none or it names a date. */
export function retryAfter(message: IncomingMessage): number | null {
  const seconds = Number(message.headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null;
}

function unreachable(connection: KubeConnection, request: KubeRequest, error: unknown): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  return new AppError(
    'cluster-unreachable',
    `the API server ${connection.server.host} gives no answer to ${request.method} ${request.path}: ${wordsOf(error)}`,
    {
      cause: error,
    },
  );
}

/** What an error says. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
