import { CancellationScope, condition, defineSignal, isCancellation, proxyActivities, setHandler } from '@temporalio/workflow';
import { contentId } from '@reenact/domain';
import type { TestActivities } from './activities.js';

const CORE = { taskQueue: 'reenact-core', startToCloseTimeout: '30s', cancellationType: 'WAIT_CANCELLATION_COMPLETED' } as const;
const { step, fail } = proxyActivities<TestActivities>(CORE);
const { longStep } = proxyActivities<TestActivities>({ ...CORE, taskQueue: 'reenact-jobs-cpu', heartbeatTimeout: '2s' });

export const goOn = defineSignal('goOn');

/** Runs a step, waits for the signal, runs another: lives through a restart of the server in between. */
export async function waitingWorkflow(text: string): Promise<string> {
  let released = false;
  setHandler(goOn, () => {
    released = true;
  });
  const first = await step(text);
  await condition(() => released);
  return `${await step(first)} ${contentId(text).slice(0, 8)}`;
}

/** Ends with whatever the activity fails with. */
export async function failingWorkflow(code: string): Promise<void> {
  await fail(code);
}

/** Waits in a heartbeating activity; its result tells what the activity saw of the cancellation. */
export async function cancellableWorkflow(): Promise<string> {
  try {
    return await longStep();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(() => step('cleaned up'));
  }
}
