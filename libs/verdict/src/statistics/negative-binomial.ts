import { clopperPearson, type Interval } from './intervals.js';

/**
 * Exact interval for a rate where trials went on until the `shown`-th success, which was the last of `total` (inverse binomial
 * sampling; Lui 1995, Statistics in Medicine 14:1561; Casella & Berger 2002, section 9.2.3, for the inversion). Its tails are
 * binomial ones: the count of trials N is ≤ total exactly when `total` trials show at least `shown`, so `low` is that of
 * Clopper–Pearson; N ≥ total exactly when the first total − 1 show at most shown − 1, so `high` is that of shown − 1 of
 * total − 1. Not for series that stop after a number of trials. @throws RangeError where the counts are none or shown is 0
 */
export function negativeBinomialInterval(shown: number, total: number, confidence = 0.95): Interval {
  if (shown === 0) throw new RangeError('no success ended the series');
  const { low } = clopperPearson(shown, total, confidence);
  const { high } = clopperPearson(shown - 1, total - 1, confidence);
  return { low, high };
}
