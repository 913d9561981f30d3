/** Runs `work` on every item, at most `limit` at a time, and keeps the order of results. The first failure stops the taking of new items. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  async function take(): Promise<void> {
    while (!failed && next < items.length) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const takers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, take));
  const failure = takers.find((taker) => taker.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return results;
}
