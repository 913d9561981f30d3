import type { Rate } from '@reenact/domain';
import { binomialAtMost } from './binomial.js';
import { assertCounts } from './counts.js';

export interface Interval {
  low: number;
  high: number;
}

const STEPS = 60;

/** The p in [0, 1] where a rising condition turns true, by bisection to 2⁻⁶⁰. */
function turningPoint(isAbove: (p: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (isAbove(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

/**
 * Exact interval for k of n at fixed n (Clopper & Pearson 1934, Biometrika 26:404): the rates that a one-sided test at
 * (1 − confidence)/2 does not refuse. [0, 1] for n = 0. @throws RangeError where k and n are no counts
 */
export function clopperPearson(k: number, n: number, confidence = 0.95): Interval {
  assertCounts(k, n);
  const tail = (1 - confidence) / 2;
  const low = k === 0 ? 0 : turningPoint((p) => 1 - binomialAtMost(k - 1, n, p) > tail);
  const high = k === n ? 1 : turningPoint((p) => binomialAtMost(k, n, p) < tail);
  return { low, high };
}

/** k of n with its exact 95 % interval, rounded to four digits so that it is the same everywhere. */
export function rateOf(shown: number, total: number): Rate {
  const { low, high } = clopperPearson(shown, total);
  return { shown, total, low: Math.round(low * 1e4) / 1e4, high: Math.round(high * 1e4) / 1e4 };
}
