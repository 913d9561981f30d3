import { QUEUES, WORKFLOW_TYPES } from '@reenact/domain';
import type { Configuration } from '@reenact/domain';
import { connectTemporal, ensureSchedule } from '@reenact/temporal/client';
import type { TemporalConnectionOptions } from '@reenact/temporal/client';

/** Executions that are over cost nothing but places in the cluster, so there is no hurry (kubernetes.md 5.7). */
const EVERY_MINUTES = 10;
const MOST_MINUTES = 30;

/**
 * Lets the janitor run where trials run in a cluster.
 *
 * @throws AppError `temporal-unreachable`; the client's error where the server refuses.
 */
export async function scheduleJanitor(sandbox: Configuration['sandbox'], connection: TemporalConnectionOptions): Promise<void> {
  if (sandbox.type !== 'kubernetes') return;
  const temporal = await connectTemporal(connection);
  try {
    await ensureSchedule(temporal.client, {
      id: 'janitor',
      workflowType: WORKFLOW_TYPES.janitor,
      taskQueue: QUEUES.workflows,
      everyMinutes: EVERY_MINUTES,
      mostMinutes: MOST_MINUTES,
    });
  } finally {
    await temporal.close();
  }
}
