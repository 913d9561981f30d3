import { describe, expect, it } from 'vitest';
import { createOneAtATime } from './one-at-a-time.js';

describe('createOneAtATime', () => {
  it('gives the second what the first has stored, and begins nothing', async () => {
    const inTurn = createOneAtATime<string>();
    const store = new Map<string, string>();
    let executions = 0;
    let atOnce = 0;
    let most = 0;
    const ask = (key: string) =>
      inTurn(
        key,
        () => Promise.resolve(store.get(key) ?? null),
        async () => {
          executions += 1;
          most = Math.max(most, (atOnce += 1));
          await new Promise((resolve) => setTimeout(resolve, 5));
          atOnce -= 1;
          store.set(key, `evidence ${executions}`);
          return store.get(key) ?? '';
        },
      );
    const answers = await Promise.all([ask('a'), ask('a'), ask('a')]);
    expect(new Set(answers)).toEqual(new Set(['evidence 1']));
    expect({ executions, most }).toEqual({ executions: 1, most: 1 });
    expect(await Promise.all([ask('b'), ask('c')])).toHaveLength(2);
    expect(most).toBe(2);
  });

  it('lets the second do the work where the first failed', async () => {
    const inTurn = createOneAtATime<string>();
    const nothing = () => Promise.resolve(null);
    const first = inTurn('a', nothing, () => Promise.reject(new Error('cancelled')));
    const second = inTurn('a', nothing, () => Promise.resolve('done'));
    await expect(first).rejects.toThrow('cancelled');
    expect(await second).toBe('done');
  });
});
