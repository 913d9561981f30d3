import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { AppError, ERROR_CODES, isAppError } from '@reenact/domain';
import type { ErrorCode } from '@reenact/domain';

/** Causes nest a few levels (workflow → child → activity → application); a longer chain is a loop. */
const MAX_DEPTH = 20;
/** gRPC status codes of a server that is away: DEADLINE_EXCEEDED, UNAVAILABLE (grpc.github.io status codes). */
const AWAY_CODES: readonly number[] = [4, 14];

/**
 * The AppError behind whatever a client call threw: an ApplicationFailure whose `type` is one of our codes anywhere in the chain of
 * causes keeps code, message and hint; a missing workflow, a server that is away and a time-out get theirs; the rest is `internal`.
 */
export function toAppError(error: unknown): AppError {
  const chain = causeChain(error);
  for (const link of chain) {
    const known = knownError(link);
    if (known !== null) return known;
  }
  const root = chain.at(-1);
  const message = root instanceof Error ? root.message : String(root);
  return new AppError('internal', message || 'An error without a message.', { cause: error });
}

/** True when the failure is a cancellation or a termination by a person, which is no error. */
export function isCancelled(error: unknown): boolean {
  return causeChain(error).some((link) => link instanceof CancelledFailure || link instanceof TerminatedFailure);
}

function knownError(link: unknown): AppError | null {
  if (isAppError(link)) return link;
  if (link instanceof ApplicationFailure) return fromApplicationFailure(link);
  if (link instanceof WorkflowNotFoundError) return new AppError('run-not-found', `There is no run ${link.workflowId}.`, { cause: link });
  if (link instanceof TimeoutFailure) {
    const hint = 'The platform gave up waiting; start the run again.';
    return new AppError('internal', `A step took longer than its limit (${link.timeoutType}).`, { hint, cause: link });
  }
  if (isGrpcServiceError(link) && AWAY_CODES.includes(link.code)) {
    const hint = 'Wait for the server to come back, or check its address.';
    return new AppError('temporal-unreachable', 'The Temporal server does not answer.', { hint, cause: link });
  }
  return null;
}

function fromApplicationFailure(failure: ApplicationFailure): AppError | null {
  if (!isErrorCode(failure.type)) return null;
  const hint = readHint(failure.details?.[0]);
  return new AppError(failure.type, failure.message, { ...(hint !== undefined && { hint }), cause: failure });
}

function isErrorCode(type: string | null | undefined): type is ErrorCode {
  return typeof type === 'string' && Object.hasOwn(ERROR_CODES, type);
}

function readHint(detail: unknown): string | undefined {
  const hint = typeof detail === 'object' && detail !== null ? (detail as { hint?: unknown }).hint : undefined;
  return typeof hint === 'string' ? hint : undefined;
}

function causeChain(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let link = error;
  while (link !== undefined && link !== null && chain.length < MAX_DEPTH) {
    chain.push(link);
    link = (link as { cause?: unknown }).cause;
  }
  return chain;
}
