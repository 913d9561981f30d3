import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { QUEUES } from '../client/queues.js';
import type { TemporalServer } from '../server/ensure-server.js';
import { startWorkerHost } from '../worker/worker-host.js';
import type { WorkerHost } from '../worker/worker-host.js';
import { createTestActivities } from './activities.js';

/** Path of the test workflows' sources. */
export const TEST_WORKFLOWS = fileURLToPath(new URL('./workflows.ts', import.meta.url));

/** Workers of all kinds that the test workflows need, bundled from the sources. */
export function startTestWorker({ address, namespace }: TemporalServer): Promise<WorkerHost> {
  const activities = createTestActivities();
  return startWorkerHost({
    connection: { address, namespace },
    queues: [QUEUES.workflows, QUEUES.core, QUEUES.jobsCpu],
    activities: { [QUEUES.core]: { step: activities.step, fail: activities.fail }, [QUEUES.jobsCpu]: { longStep: activities.longStep } },
    workflows: { type: 'path', workflowsPath: TEST_WORKFLOWS },
    logger: () => undefined,
  });
}

/** Waits until the workflow's history has an event of this kind. */
export async function untilHistoryHas(handle: WorkflowHandle, attributes: string): Promise<void> {
  for (;;) {
    const { events } = await handle.fetchHistory();
    if (events?.some((event) => Object.hasOwn(event, attributes))) return;
    await sleep(50);
  }
}
