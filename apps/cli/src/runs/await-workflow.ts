import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '@reenact/temporal/client';
import type { Engine } from '../engine/engine.js';

const RETRY_MILLISECONDS = 500;

/**
 * Waits until a workflow has ended; a server or worker that dies meanwhile is brought back, one that the user ended is not.
 * @throws AppError when the workflow failed, and `run-not-found` when the server does not know it.
 */
export async function awaitWorkflow(engine: Engine, workflowId: string): Promise<void> {
  for (;;) {
    try {
      await engine.client.workflow.getHandle(workflowId).result();
      return;
    } catch (error) {
      const known = toAppError(error);
      if (known.code !== 'temporal-unreachable') throw Object.assign(known, { cause: error });
      await sleep(RETRY_MILLISECONDS);
      if (!(await engine.wasStopped())) await engine.heal();
    }
  }
}
