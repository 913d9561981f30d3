import { assertCounts } from './counts.js';
import type { Interval } from './intervals.js';
import { twoSidedZ } from './normal-quantile.js';

/**
 * Score interval for k of n (Wilson 1927, JASA 22:209); for tables over many cases only. [0, 1] for n = 0.
 * @throws RangeError where k and n are no counts or `confidence` lies outside (0, 1)
 */
export function wilsonInterval(k: number, n: number, confidence = 0.95): Interval {
  assertCounts(k, n);
  const z = twoSidedZ(confidence);
  if (n === 0) return { low: 0, high: 1 };
  const share = k / n;
  const square = z * z;
  const centre = share + square / (2 * n);
  const spread = z * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n));
  const scale = 1 + square / n;
  // At the ends both terms are equal but for rounding.
  return { low: k === 0 ? 0 : (centre - spread) / scale, high: k === n ? 1 : (centre + spread) / scale };
}
