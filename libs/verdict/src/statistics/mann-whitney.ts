/** Exact answer of the rank test. `u` counts the pairs in which a is larger than b, a tie as one half. */
export interface MannWhitney {
  u: number;
  pGreater: number;
  pLess: number;
  pTwoSided: number;
}

/** Most values of both arms: beyond it the exact distribution costs more than a second and tells no more. */
export const MOST_RANKED_VALUES = 100;

/** Twice the mid-rank of every value, a whole number also where values are tied. */
function doubledMidRanks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((one, other) => Number(values[one]) - Number(values[other]));
  const ranks = new Array<number>(values.length).fill(0);
  let first = 0;
  while (first < order.length) {
    let end = first + 1;
    while (end < order.length && values[Number(order[end])] === values[Number(order[first])]) end += 1;
    // Ranks first + 1 to end; twice their mean is the sum of both ends.
    for (const index of order.slice(first, end)) ranks[index] = first + 1 + end;
    first = end;
  }
  return ranks;
}

/** How many ways there are to take `size` of the ranks, by the sum of those taken. */
function waysBySum(ranks: readonly number[], size: number): Float64Array {
  const most = ranks.reduce((sum, rank) => sum + rank, 0);
  const ways = Array.from({ length: size + 1 }, () => new Float64Array(most + 1));
  (ways[0] as Float64Array)[0] = 1;
  let reached = 0;
  ranks.forEach((rank, seen) => {
    reached += rank;
    // Downwards, so that no rank is taken twice.
    for (let taken = Math.min(size, seen + 1); taken >= 1; taken -= 1) {
      const fewer = ways[taken - 1] as Float64Array;
      const here = ways[taken] as Float64Array;
      for (let sum = reached; sum >= rank; sum -= 1) here[sum] = Number(here[sum]) + Number(fewer[sum - rank]);
    }
  });
  return ways[size] as Float64Array;
}

function assertValues(a: readonly number[], b: readonly number[]): void {
  if (a.length === 0 || b.length === 0) throw new RangeError(`no two arms: ${a.length} and ${b.length} values`);
  if (a.length + b.length > MOST_RANKED_VALUES) throw new RangeError(`more than ${MOST_RANKED_VALUES} values: ${a.length + b.length}`);
  if ([...a, ...b].some(Number.isNaN)) throw new RangeError('a value is no number');
}

/**
 * Exact rank test of two arms (Wilcoxon 1945; Mann & Whitney 1947, Annals of Mathematical Statistics 18:50), with ties by
 * mid-ranks: the share of all divisions of the pooled ranks into arms of these sizes whose U is at least (`pGreater`) or at
 * most (`pLess`) the observed one. `pTwoSided` is twice the lesser, at most 1. Infinite values have a rank like any other.
 * @throws RangeError for an empty arm, NaN or more than 100 values
 */
export function mannWhitneyExact(a: readonly number[], b: readonly number[]): MannWhitney {
  assertValues(a, b);
  const ranks = doubledMidRanks([...a, ...b]);
  const sumOf = (some: readonly number[]): number => some.reduce((sum, rank) => sum + rank, 0);
  // The smaller arm is enumerated: a large sum of one is a small sum of the other.
  const isSwapped = b.length < a.length;
  const observed = sumOf(isSwapped ? ranks.slice(a.length) : ranks.slice(0, a.length));
  const ways = waysBySum(ranks, Math.min(a.length, b.length));
  let [atMost, atLeast, all] = [0, 0, 0];
  ways.forEach((count, sum) => {
    all += count;
    if (sum <= observed) atMost += count;
    if (sum >= observed) atLeast += count;
  });
  const [pGreater, pLess] = isSwapped ? [atMost / all, atLeast / all] : [atLeast / all, atMost / all];
  const u = sumOf(ranks.slice(0, a.length)) / 2 - (a.length * (a.length + 1)) / 2;
  return { u, pGreater, pLess, pTwoSided: Math.min(1, 2 * Math.min(pGreater, pLess)) };
}
