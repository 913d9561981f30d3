import { errors } from '@elastic/elasticsearch';
import { AppError } from '@reenact/domain';

const CERTIFICATE = /certificate|self[- ]signed|altname|wrong version number|EPROTO|SSL routines/i;
const LONGEST_QUOTE = 300;

/** What a server said about a failure. */
export interface ServerFailure {
  status: number;
  type: string;
  reason: string;
}

/**
 * Whatever a request threw as an AppError that says what to do; other values (an abort's reason, an AppError) as they are.
 * Nothing of the request comes along: its headers hold secrets.
 */
export function toSearchError(error: unknown, url: string): unknown {
  if (error instanceof errors.ProductNotSupportedError) {
    return new AppError('search-unsupported', `What answers at ${url} is not Elasticsearch.`, {
      hint: 'Check the address; OpenSearch and proxies that drop headers are not supported.',
    });
  }
  if (error instanceof errors.ResponseError) return describeFailure(readFailure(error), url);
  if (error instanceof errors.TimeoutError) return unreachable(`Elasticsearch at ${url} did not answer in time.`, error);
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError) {
    return CERTIFICATE.test(error.message)
      ? distrusted(url, error.message)
      : unreachable(`Elasticsearch at ${url} is not reachable.`, error);
  }
  if (error instanceof errors.DeserializationError) {
    return new AppError('search-unsupported', `${url} answered with something that is no JSON.`, { hint: 'Check the address.' });
  }
  return error;
}

/** A failure that the server told, of a whole request or of one document of a bulk. */
export function describeFailure(failure: ServerFailure, url: string): AppError {
  const { status, type } = failure;
  const said = `${status} ${quote(type)}: ${quote(failure.reason)}`;
  if (isDiskFull(failure)) {
    return new AppError('search-unreachable', `The disk of Elasticsearch at ${url} is full; it takes nothing in.`, {
      hint: 'Make room on its nodes (or lower `idleDays`); it takes data again by itself.',
    });
  }
  if (status === 401) {
    return new AppError('search-auth', `Elasticsearch at ${url} refuses the credentials (401).`, {
      hint: 'Check the API key, or user name and password.',
    });
  }
  if (status === 403) {
    return new AppError('search-auth', `Elasticsearch at ${url} does not permit this (403): ${quote(failure.reason)}`, {
      hint: 'docs/elasticsearch.md names the permissions.',
    });
  }
  if (status === 404) {
    return new AppError('search-unreachable', `The index is gone from ${url}: it was removed, or replaced long ago.`, {
      hint: 'Open the revision again, or index it again.',
    });
  }
  if (status === 400 && type.includes('media_type')) {
    return new AppError('search-unsupported', `Elasticsearch at ${url} is older than version 9.`, {
      hint: 'Upgrade it, or use the embedded index.',
    });
  }
  if (status === 429) {
    return new AppError('search-unreachable', `Elasticsearch at ${url} is overloaded (429).`, { hint: 'Try again later.' });
  }
  if (status >= 500) return new AppError('search-unreachable', `Elasticsearch at ${url} failed (${said}).`, { hint: 'Look into its log.' });
  return new AppError('internal', `Elasticsearch at ${url} refuses a request (${said}).`);
}

/** Whether trying again in a moment may help: a busy or briefly absent server; not a full disk, not a refusal. */
export function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isPassingFailure(readFailure(error));
  const isAway = error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError;
  return isAway && !(error instanceof errors.TimeoutError) && !CERTIFICATE.test(error.message);
}

/** The same for a failure that the server told. */
export function isPassingFailure(failure: ServerFailure): boolean {
  return [429, 502, 503, 504].includes(failure.status) && !isDiskFull(failure);
}

/** The flood stage of the disk watermark: a block on the index, told as 429 (403 before 7.x). */
function isDiskFull({ type, reason }: ServerFailure): boolean {
  return type === 'cluster_block_exception' && /read-only-allow-delete|disk/.test(reason);
}

function readFailure(error: InstanceType<typeof errors.ResponseError>): ServerFailure {
  const body: unknown = error.body;
  const told = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return { status: error.statusCode ?? 0, ...readCause(told) };
}

/** Type and reason out of an answer's `error`; empty where it has another shape. */
export function readCause(told: unknown): { type: string; reason: string } {
  if (typeof told !== 'object' || told === null) return { type: '', reason: typeof told === 'string' ? told : '' };
  const { type, reason } = told as { type?: unknown; reason?: unknown };
  return { type: typeof type === 'string' ? type : '', reason: typeof reason === 'string' ? reason : '' };
}

function unreachable(message: string, error: Error): AppError {
  return new AppError('search-unreachable', `${message} (${quote(error.message)})`, {
    hint: 'Check the address, and whether the cluster runs.',
  });
}

function distrusted(url: string, message: string): AppError {
  return new AppError('config-invalid', `The TLS connection to ${url} failed: ${quote(message)}`, {
    hint: 'Name the file of the authority that signed its certificate, and use https only where the server speaks it.',
  });
}

/** A server's words on one line, without control characters. */
function quote(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.slice(0, LONGEST_QUOTE).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}
