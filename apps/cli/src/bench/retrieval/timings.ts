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

/** Times that a call is timed: what else the machine does in one of them must not decide. */
export const ROUNDS = 3;

/** The quickest of several rounds, in milliseconds, and the last answer. @param work tells what it took by its own clock. */
export async function quickest<T>(work: () => Promise<{ milliseconds: number; answer: T }>): Promise<{ milliseconds: number; answer: T }> {
  let best = await work();
  for (let round = 1; round < ROUNDS; round++) {
    const next = await work();
    best = { answer: next.answer, milliseconds: Math.min(best.milliseconds, next.milliseconds) };
  }
  return best;
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
