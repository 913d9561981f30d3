import type { ProbeResult } from '@reenact/domain';
import { runsNeeded } from '../statistics/misses.js';

/** A chance fault counts as kept after so many shown trials (verdict.md section 8: accepted after r successes). */
const SUCCESSES = 2;
/** No more trials a variant than this many times the bound of a miss. */
const PATIENCE = 3;

/**
 * Whether a variant keeps a fault that shows at this rate: at once where it always shows, else after two shown trials, and lost after as
 * many clean ones as leave a miss of at most 5 %. Another failure is no success.
 */
export function weighCut(states: readonly ProbeResult['state'][], rate: number): 'keeps' | 'lost' | 'more' {
  const shown = states.filter((state) => state === 'shown').length;
  if (shown >= (rate === 1 ? 1 : SUCCESSES)) return 'keeps';
  const enough = runsNeeded(rate);
  const isLost = shown === 0 ? states.length >= enough : states.length >= PATIENCE * enough;
  return isLost ? 'lost' : 'more';
}
