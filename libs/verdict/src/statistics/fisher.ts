/** A fraction of whole numbers. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Shown and total trials of one arm. */
export interface Counts {
  shown: number;
  total: number;
}

function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let result = 1n;
  for (let step = 1; step <= Math.min(k, n - k); step += 1) result = (result * BigInt(n - step + 1)) / BigInt(step);
  return result;
}

/**
 * One-sided exact test that the candidate arm shows more often than the control (Fisher 1935): the share of all tables
 * with the same margins in which the candidate has at least as many. Exact, as a fraction of whole numbers.
 */
export function fisherOneSided(candidate: Counts, control: Counts): Fraction {
  const all = candidate.total + control.total;
  const shown = candidate.shown + control.shown;
  let numerator = 0n;
  for (let hits = candidate.shown; hits <= Math.min(candidate.total, shown); hits += 1) {
    numerator += choose(shown, hits) * choose(all - shown, candidate.total - hits);
  }
  return { numerator, denominator: choose(all, candidate.total) };
}

/** Whether p ≤ 0.05 / candidates, compared in whole numbers: 3/3 against 0/3 is exactly 1/20. */
export function isSignificant(p: Fraction, candidatesVerified: number): boolean {
  return p.numerator * 20n * BigInt(Math.max(1, Math.ceil(candidatesVerified))) <= p.denominator;
}

/** The fraction as a number, for people. */
export function toNumber(fraction: Fraction): number {
  return Number((fraction.numerator * 10n ** 15n) / fraction.denominator) / 1e15;
}
