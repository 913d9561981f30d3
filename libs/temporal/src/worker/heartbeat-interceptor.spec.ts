import type { Context } from '@temporalio/activity';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeatInterceptor } from './heartbeat-interceptor.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('heartbeatInterceptor', () => {
  it('sends heartbeats while the activity runs, with the details of the earlier attempt, and none after it', async () => {
    const sent: unknown[] = [];
    const context = { info: { heartbeatDetails: 'step 3' }, heartbeat: (details: unknown) => sent.push(details) } as unknown as Context;
    const { promise: work, resolve: finish } = Promise.withResolvers<string>();
    const running = heartbeatInterceptor(1000)(context).inbound?.execute?.({ args: [], headers: {} }, () => work);
    await vi.advanceTimersByTimeAsync(2500);
    expect(sent).toEqual(['step 3', 'step 3']);
    finish('done');
    expect(await running).toBe('done');
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(2);
  });
});
