/** The value below which a share of the values lies, by the nearest rank; NaN for none. @param share 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Lower median. */
export function medianOf(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Milliseconds that a call takes by the wall clock, and its answer. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ milliseconds: number; answer: T }> {
  const begun = performance.now();
  const answer = await work();
  return { milliseconds: performance.now() - begun, answer };
}

/** A ratio of speeds for people: `128×`, `0.83×`. */
export function times(ratio: number): string {
  if (!Number.isFinite(ratio)) return 'unknown';
  return `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(2)}×`;
}

/** Milliseconds for people: `2.6 ms`, `1,269 ms`. */
export function milliseconds(value: number): string {
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)} ms`;
}
