/** Work under keys, never twice at once for one key. */
export type OneAtATime<T> = (key: string, stored: () => Promise<T | null>, work: () => Promise<T>) => Promise<T>;

/**
 * Makes a place in which work of one key waits for work of that key that is under way, and then looks into the store again before it
 * begins by itself. An activity whose heartbeats came too late is tried anew while its first try still runs: the second must not
 * disturb the first.
 */
export function createOneAtATime<T>(): OneAtATime<T> {
  const underWay = new Map<string, Promise<unknown>>();
  return async (key, stored, work) => {
    for (;;) {
      const found = await stored();
      if (found !== null) return found;
      const other = underWay.get(key);
      if (other === undefined) break;
      await other.catch(() => undefined);
    }
    const running = work().finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };
}
