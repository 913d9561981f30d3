import type { ModelOptions } from '@reenact/domain';

/**
 * Runs a task for each item, at most `limit` at a time, and gives the results in the items' order. After an error or an abort no
 * further task is begun; what runs is waited for.
 * @throws the first error of a task; the signal's reason where it is aborted.
 */
export async function runLimited<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  { limit, signal, onProgress }: ModelOptions & { limit: number },
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let done = 0;
  let hasFailed = false;
  const work = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      signal?.throwIfAborted();
      const index = next++;
      results[index] = await task(items[index]!);
      onProgress?.(++done);
    }
  };
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });
  const ended = await Promise.allSettled(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, guarded));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
  return results;
}
