import { WorkflowUpdateFailedError } from '@temporalio/client';
import { AppError } from '@reenact/domain';
import type { RunRow } from '@reenact/domain';
import { toAppError } from '@reenact/temporal/client';
import type { Engine } from '../engine/engine.js';
import type { Session } from './session.js';

/** The run with this id or beginning. @throws AppError `run-not-found`, and `usage` when several begin so. */
export async function findRun(session: Session, run: string): Promise<RunRow> {
  const row = await session.runs.getRun(run);
  if (row === null) throw new AppError('run-not-found', `There is no run ${run}.`, { hint: 'See ./reenact list' });
  return row;
}

/** Stops a run and waits until its verdict is written. @throws AppError `usage` when it has ended already. */
export async function cancelRun(engine: Engine, row: RunRow): Promise<void> {
  assertRunning(row);
  const handle = engine.client.workflow.getHandle(row.workflowId);
  try {
    // the whole pipeline has an update that answers when the verdict is there; the shorter workflows take the plain cancellation
    if (isPipeline(row)) await handle.executeUpdate('stop', { args: [{ reason: 'from the command line' }] });
    else await handle.cancel();
    await handle.result();
  } catch (error) {
    const known = toAppError(error);
    if (known.code === 'run-not-found' || known.code === 'temporal-unreachable') throw known;
    // a cancelled workflow may end as cancelled: the verdict is what counts
  }
}

/** Gives a hint to a running run. @returns how many hints it has now. */
export async function giveHint(engine: Engine, row: RunRow, hint: { text: string; author: string }): Promise<number> {
  return updateRun<number>(engine, row, 'addHint', hint);
}

/** Grants more attempts per context. @returns the new number. */
export async function grantMoreAttempts(engine: Engine, row: RunRow, extra: number): Promise<number> {
  return updateRun<number>(engine, row, 'grantAttempts', { extra });
}

async function updateRun<T>(engine: Engine, row: RunRow, name: string, argument: unknown): Promise<T> {
  assertRunning(row);
  if (!isPipeline(row)) {
    throw new AppError('usage', `Run ${row.runId} judges one script: it takes no hints and no further attempts.`);
  }
  try {
    return (await engine.client.workflow.getHandle(row.workflowId).executeUpdate(name, { args: [argument] })) as T;
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      throw new AppError('usage', `The run refused it: ${error.cause?.message ?? error.message}`);
    throw toAppError(error);
  }
}

/** Workflow ids begin with the kind of the request. */
function isPipeline({ workflowId }: RunRow): boolean {
  return workflowId.startsWith('repro/') || workflowId.startsWith('reproduce/');
}

function assertRunning(row: RunRow): void {
  if (row.state === 'running') return;
  throw new AppError('usage', `Run ${row.runId} has ended (${row.verdict ?? row.state}).`, { hint: `See ./reenact show ${row.runId}` });
}
