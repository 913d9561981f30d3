import type { Facet, MeasuredRate } from '@reenact/domain';
import { clopperPearson } from '../statistics/intervals.js';
import { UNSTABLE_SHARE } from '../statistics/unstable-rate.js';
import { isDeterministic } from './live-facets.js';

/**
 * Rate that a series has to reckon with before it calls a signal absent. Without an earlier series it is the report's.
 * What was measured says more than a report's words: a fault that came in 12 of 20 trials may well miss in the first ones.
 * Taken is the lower end of its exact 95 % interval, but no less than the rate from which a fault is called unstable
 * (verdict.md section 5), since nothing rarer is called reproduced. Deterministic kinds that always showed stay as claimed.
 * @returns rate in (0, 1]
 */
export function expectedRate(
  facets: readonly Facet[],
  claimedRate: number,
  measured: Pick<MeasuredRate, 'shown' | 'total'> | null,
): number {
  if (measured === null || measured.shown === 0) return claimedRate;
  if (measured.shown === measured.total && facets.every(isDeterministic)) return claimedRate;
  return Math.max(UNSTABLE_SHARE, clopperPearson(measured.shown, measured.total).low);
}
