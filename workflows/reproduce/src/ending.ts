import { CancellationScope, isCancellation, patched } from '@temporalio/workflow';
import { ERROR_CODES } from '@reenact/domain';
import type { AttemptRecord, ContentRef, ContextRanking, ErrorCode, Usage, VerdictState } from '@reenact/domain';
import { core } from './policies.js';
import type { Story } from './story.js';

/** What a run knows when it ends, however it ends. */
export interface Ending {
  runId: string;
  title: string;
  /** Absent where the run has no report of its own, or did not come as far. */
  report?: ContentRef;
  claim: ContentRef | null;
  environment: ContentRef | null;
  attempts: AttemptRecord[];
  scope: 'script' | 'run';
  usage: Usage;
  skipped: string[];
  ranking?: ContextRanking;
  startedAtMilliseconds: number;
}

export interface RunResult {
  verdict: VerdictState;
  sentence: string;
  exitStatus: number;
}

/** Writes the verdict; also after a cancellation, so that nothing which was found gets lost. */
export async function publishEnding(
  ending: Ending,
  ended: { state: VerdictState; reason: string } | null,
  story: Story,
): Promise<RunResult> {
  return CancellationScope.nonCancellable(async () => {
    const result = await core.publish({ ...ending, ended, endedAtMilliseconds: Date.now() });
    await story.tell('done', result.sentence, { state: ended?.state === 'cancelled' ? 'cancelled' : 'done', verdict: result.verdict });
    return result;
  });
}

/**
 * Turns what ended a run early into a verdict state: a cancellation, a limit, a failure of the platform.
 *
 * @throws the error itself where the request or the settings are at fault and nothing was tried yet: that is no verdict, and
 * whoever asked gets the error with its own exit status.
 */
export async function endedBy(error: unknown, attemptCount: number, story: Story): Promise<{ state: VerdictState; reason: string }> {
  if (isCancellation(error)) return { state: 'cancelled', reason: 'a person stopped it' };
  const failure = rootFailure(error);
  if (attemptCount === 0 && isRequestFault(failure.type)) {
    // Runs that were under way before this was told go on as they were recorded.
    if (patched('tell-failure')) await tellFailure(error, story);
    throw error;
  }
  if (failure.type === 'budget-exceeded') return { state: 'inconclusive', reason: `budget: ${failure.message}` };
  if (failure.type === 'environment-unsolvable') return { state: 'unsupported', reason: `dependency: ${failure.message}` };
  return { state: 'infra_error', reason: failure.hint === null ? failure.message : `${failure.message} ${failure.hint}` };
}

/** Says in the run's record that it ended without a verdict: nobody may be following it. */
export async function tellFailure(error: unknown, story: Story): Promise<void> {
  const cancelled = isCancellation(error);
  const message = cancelled ? 'a person stopped it' : rootFailure(error).message;
  await CancellationScope.nonCancellable(() => story.tell('done', message, { state: cancelled ? 'cancelled' : 'failed' }));
}

/** An environment that cannot be solved is an answer, `unsupported`; everything else that a person must mend is an error. */
function isRequestFault(type: string): boolean {
  if (!(type in ERROR_CODES) || type === 'environment-unsolvable') return false;
  const group = ERROR_CODES[type as ErrorCode];
  return group === 'user' || group === 'config';
}

/** The innermost cause of an activity's failure. */
export function rootFailure(error: unknown): { type: string; message: string; hint: string | null } {
  let current = error as { cause?: unknown; type?: string; message?: string; details?: unknown } | undefined;
  while (current?.cause !== undefined && current.cause !== null) current = current.cause as typeof current;
  return { type: current?.type ?? '', message: current?.message ?? String(error), hint: hintOf(current?.details) };
}

/** What to do next, as activities put it into the first detail of their failures. */
function hintOf(details: unknown): string | null {
  const [first] = Array.isArray(details) ? (details as unknown[]) : [];
  const hint = typeof first === 'object' && first !== null && 'hint' in first ? first.hint : null;
  return typeof hint === 'string' ? hint : null;
}
