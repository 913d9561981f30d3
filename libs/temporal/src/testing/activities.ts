import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import type { ErrorCode } from '@reenact/domain';
import { withHeartbeat } from '../worker/heartbeat.js';

/** Activities of the test workflows. */
export interface TestActivities {
  step(text: string): Promise<string>;
  fail(code: string): Promise<void>;
  longStep(): Promise<string>;
}

export function createTestActivities(): TestActivities {
  return {
    step: (text) => Promise.resolve(`${text}!`),
    fail: (code) => Promise.reject(new AppError(code as ErrorCode, `failed with ${code}`, { hint: 'mend it' })),
    longStep: () =>
      withHeartbeat(
        async ({ signal }) => {
          await sleep(600_000, undefined, { signal });
          return 'not cancelled';
        },
        { everySeconds: 0.1 },
      ),
  };
}
