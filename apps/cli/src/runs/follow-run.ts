import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import type { RunEvent, RunRow, Verdict } from '@reenact/domain';
import { isCancelled } from '@reenact/temporal/client';
import type { Engine } from '../engine/engine.js';
import { awaitWorkflow } from './await-workflow.js';
import type { Session } from './session.js';

const POLL_MILLISECONDS = 250;
/** How often server and worker are looked at while a run is followed. */
const LOOK_EVERY_POLLS = 12;

/** Who listens to a run. */
export interface FollowOptions {
  onEvent: (event: RunEvent) => void;
  /** Ends the following, never the run. */
  signal?: AbortSignal;
  /** Events up to this sequence were told already. */
  after?: number;
}

/**
 * Tells a run's story as it comes and waits for its verdict; brings back a worker or server that died.
 * @returns null where the signal, or the user's `down`, ended the following.
 * @throws AppError when the run ended without a verdict.
 */
export async function followRun(session: Session, engine: Engine, row: RunRow, options: FollowOptions): Promise<Verdict | null> {
  return (await followStory(session, engine, row, options)) ? verdictOf(session, row.runId) : null;
}

/**
 * As {@link followRun}, for runs that end in something else than a verdict.
 * @returns whether the run has ended.
 * @throws AppError when it ended in a failure.
 */
export async function followStory(session: Session, engine: Engine, row: RunRow, options: FollowOptions): Promise<boolean> {
  const ending: { ended: boolean; error: unknown } = { ended: false, error: null };
  const waiting = awaitWorkflow(engine, row.workflowId).then(
    () => (ending.ended = true),
    (error: unknown) => {
      Object.assign(ending, { ended: true, error });
    },
  );
  let after = options.after ?? 0;
  for (let poll = 1; ; poll += 1) {
    const isLast = ending.ended;
    for (const event of await session.runs.listEvents(row.runId, after)) {
      options.onEvent(event);
      after = event.sequence;
    }
    if (isLast) break;
    if (options.signal?.aborted === true) return false;
    if (poll % LOOK_EVERY_POLLS === 0) {
      if (await engine.wasStopped()) return false;
      await engine.heal();
    }
    await Promise.race([sleep(POLL_MILLISECONDS, undefined, options.signal && { signal: options.signal }).catch(() => undefined), waiting]);
  }
  if (ending.error !== null) await settleBroken(session, row, ending.error);
  return true;
}

/** The stored verdict of a run that has ended. @throws AppError `internal` when there is none. */
export async function verdictOf(session: Session, runId: string): Promise<Verdict> {
  const verdict = await session.runs.getVerdict(runId);
  if (verdict === null) throw new AppError('internal', `Run ${runId} ended without a verdict.`, { hint: `See ./reenact logs ${runId}` });
  return verdict;
}

/** A workflow that failed or was terminated from outside leaves no verdict: the run's row says so from now on. */
async function settleBroken(session: Session, row: RunRow, error: unknown): Promise<void> {
  const present = (await session.runs.getRun(row.runId)) ?? row;
  const verdict = await session.runs.getVerdict(row.runId);
  if (verdict !== null && present.state !== 'running') return;
  const state = isCancelled(error) ? 'cancelled' : 'failed';
  await session.runs.upsertRun({ ...present, state, updatedAt: new Date().toISOString() });
  if (state === 'cancelled')
    throw new AppError('run-not-found', `Run ${row.runId} was ended from outside before it had a verdict.`, {
      hint: 'Start it again with the same command.',
    });
  throw error;
}
