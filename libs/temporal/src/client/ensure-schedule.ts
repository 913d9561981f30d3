import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client } from '@temporalio/client';

/** A workflow without input that is started again and again. */
export interface RepeatedWorkflow {
  /** Name of the schedule, and beginning of its workflows' ids. */
  id: string;
  workflowType: string;
  taskQueue: string;
  everyMinutes: number;
  /** A run that takes longer is ended, so that it cannot keep all later ones away. */
  mostMinutes: number;
}

/**
 * Makes a schedule where there is none; one that is there stays as it is, also when a person changed or paused it. A run that is still
 * under way keeps the next from starting, and runs that were missed are not made up for.
 *
 * @throws the client's error where the server does not answer or refuses.
 */
export async function ensureSchedule(client: Client, repeated: RepeatedWorkflow): Promise<void> {
  const { id, workflowType, taskQueue, everyMinutes, mostMinutes } = repeated;
  try {
    await client.schedule.create({
      scheduleId: id,
      spec: { intervals: [{ every: `${everyMinutes}m` }] },
      action: { type: 'startWorkflow', workflowId: id, workflowType, taskQueue, args: [], workflowRunTimeout: `${mostMinutes}m` },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
