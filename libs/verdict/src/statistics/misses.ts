/** Greatest chance of a miss that `absent` may have (verdict.md section 6). */
export const MISS_BOUND = 0.05;

/** Runs that all must miss before a signal of this rate counts as absent: ⌈ln 0.05 / ln(1 − rate)⌉; 1 for a rate of 1. */
export function runsNeeded(rate: number): number {
  if (!(rate > 0 && rate <= 1)) throw new RangeError(`no rate: ${rate}`);
  return rate === 1 ? 1 : Math.max(1, Math.ceil(Math.log(MISS_BOUND) / Math.log1p(-rate)));
}

/** Chance that a signal of this rate does not come in so many runs: (1 − rate)^runs. */
export function missProbability(rate: number, runs: number): number {
  return (1 - rate) ** runs;
}
