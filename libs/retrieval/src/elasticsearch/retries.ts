import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '@elastic/elasticsearch';
import { isPassing, toSearchError } from './failures.js';

/** A server's own wish is followed up to here. */
const LONGEST_WAIT_MILLISECONDS = 30_000;

/** How one request is repeated. */
export interface RetryOptions {
  url: string;
  waitsMilliseconds: number[];
  signal: AbortSignal;
  /** Whether an error passes; by default as the client's errors tell. */
  passes?: (error: unknown) => boolean;
}

/** Does `work`, again after each wait while it fails for a passing reason. @throws AppError; the signal's reason where aborted. */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, waitsMilliseconds, passes = isPassing } = options;
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const wait = waitsMilliseconds[tries];
      if (wait === undefined || !passes(error)) throw toSearchError(error, options.url);
      // Half of it by chance, so that several clients do not come back all at once.
      await sleep(Math.max(askedWait(error), wait * (0.5 + Math.random() / 2)), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** The wait that the server asked for by `Retry-After`; 0 where it did not, or asked in another form. */
function askedWait(error: unknown): number {
  const header: unknown = error instanceof errors.ResponseError ? error.headers?.['retry-after'] : null;
  const seconds = typeof header === 'string' ? Number(header) : 0;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1000), LONGEST_WAIT_MILLISECONDS) : 0;
}
