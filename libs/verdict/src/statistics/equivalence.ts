import { type Point, theilSen } from './theil-sen.js';

export interface FallBound {
  /** Greatest fall that still counts as none, as a share of the start value's size. */
  boundShare?: number;
  /** Of the slope's interval. */
  confidence?: number;
}

/**
 * Whether a series does not fall, as an equivalence test (Schuirmann 1987, J. Pharmacokinetics and Biopharmaceutics 15:657, on
 * the Theil–Sen interval; verdict.md section 4): true where the largest fall over the whole x-range that the interval allows is
 * below `boundShare` of the start value, false where even the smallest is above it, null where the data decide neither. The
 * start value is that of the fitted line, as the first point alone may be an outlier.
 * @throws RangeError for values that are not finite, a negative share or a `confidence` outside (0, 1)
 */
export function doesNotFall(points: readonly Point[], { boundShare = 0.1, confidence = 0.95 }: FallBound = {}): boolean | null {
  if (!(boundShare >= 0)) throw new RangeError(`no share: ${boundShare}`);
  const trend = theilSen(points, confidence);
  if (!trend) return null;
  const first = points.reduce((least, { x }) => Math.min(least, x), Infinity);
  const last = points.reduce((most, { x }) => Math.max(most, x), -Infinity);
  const allowed = boundShare * Math.abs(trend.intercept + trend.slope * first);
  if (-trend.low * (last - first) < allowed) return true;
  return -trend.high * (last - first) > allowed ? false : null;
}
