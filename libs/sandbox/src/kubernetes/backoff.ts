/** Waits between tries, in milliseconds. */
export interface Backoff {
  first: number;
  most: number;
}

/**
 * A wait by chance between nothing and twice the one before, up to a bound: clients that failed together do not come back together
 * ("full jitter"; AWS Architecture Blog, "Exponential Backoff And Jitter").
 *
 * @param failures tries that failed since the last that did not, 1 or more.
 * @param random uniform in [0, 1).
 */
export function backoffMilliseconds({ first, most }: Backoff, failures: number, random: () => number = Math.random): number {
  return random() * Math.min(most, first * 2 ** Math.min(failures - 1, 30));
}
