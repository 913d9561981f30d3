import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, ActivityInterceptorsFactory, Next } from '@temporalio/worker';
import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { isAppError } from '@reenact/domain';

/** Temporal cuts failures above 4 KB by itself and badly; temporal.md section 3.6. */
const MAX_MESSAGE_BYTES = 2048;
const MAX_STACK_LENGTH = 1024;
/** Node's system error codes that another try may not meet. */
const TRANSIENT_CODES: readonly string[] = [
  'EAGAIN',
  'EBUSY',
  'ECONNREFUSED',
  'ECONNRESET',
  'EMFILE',
  'ENFILE',
  'EPIPE',
  'ETIMEDOUT',
  'ENOMEM',
];
/** SQLITE_BUSY, SQLITE_LOCKED (sqlite.org/rescode.html). */
const TRANSIENT_SQLITE: readonly number[] = [5, 6];

/**
 * The one mapping from what an activity throws to what Temporal records: an AppError keeps its code in `type`, its hint in the first
 * detail, and is retried as its group says; anything else is `internal`, retried only where the system says "try again".
 * Cancellation and failures that already are Temporal's pass unchanged.
 */
export function toActivityFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure || error instanceof CompleteAsyncError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  const failure = isAppError(error)
    ? ApplicationFailure.create({
        type: error.code,
        message: truncateUtf8(error.message, MAX_MESSAGE_BYTES),
        nonRetryable: !error.retryable,
        details: error.hint === undefined ? [] : [{ hint: truncateUtf8(error.hint, MAX_MESSAGE_BYTES) }],
      })
    : ApplicationFailure.create({
        type: 'internal',
        message: truncateUtf8(error instanceof Error ? `${error.name}: ${error.message}` : String(error), MAX_MESSAGE_BYTES),
        nonRetryable: !isTransient(error),
      });
  if (error instanceof Error && error.stack !== undefined) failure.stack = error.stack.slice(0, MAX_STACK_LENGTH);
  return failure;
}

/** Cuts a text to at most so many bytes of UTF-8, never inside a character, and marks the cut. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  const mark = '…';
  let end = maxBytes - Buffer.byteLength(mark);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8') + mark;
}

function isTransient(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return TRANSIENT_SQLITE.includes(errcode & 0xff);
  return typeof code === 'string' && TRANSIENT_CODES.includes(code);
}

class FailureMapper implements ActivityInboundCallsInterceptor {
  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    try {
      return await next(input);
    } catch (error) {
      throw toActivityFailure(error);
    }
  }
}

/** Installs {@link toActivityFailure} around every activity of a worker. */
export const activityFailureInterceptor: ActivityInterceptorsFactory = () => ({ inbound: new FailureMapper() });
