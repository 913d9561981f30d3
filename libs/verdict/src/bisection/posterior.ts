import type { CulpritGroup, FaultRates, ProbeResult } from '@reenact/domain';

/** A rate of exactly 1 or 0 would let a single odd trial rule out the truth for good. */
const CERTAIN = 0.999;

/** The probability that one trial at a point shows the fault, where the point has it or lacks it. */
export function chanceShown(rates: FaultRates, isBad: boolean): number {
  return isBad ? Math.min(rates.shown, CERTAIN) : Math.max(rates.falselyShown, 1 - CERTAIN);
}

/**
 * Probability of each point to be the first with the fault, given all trials so far (Bayes' rule, every point alike at first).
 * Index 0 is the good end, which lacks the fault; the last is the bad end, which has it.
 *
 * @returns one number a point, summing to 1; that of the good end is 0.
 */
export function culpritPosterior(points: number, rates: FaultRates, results: readonly ProbeResult[]): number[] {
  // evidence[i]: by how much the trials at point i speak for "has the fault" (logarithm of the ratio of likelihoods)
  const evidence = new Array<number>(points).fill(0);
  for (const { point, state } of results) {
    if (state === 'skip') continue;
    const [bad, good] = [chanceShown(rates, true), chanceShown(rates, false)];
    evidence[point] = (evidence[point] ?? 0) + (state === 'shown' ? Math.log(bad / good) : Math.log((1 - bad) / (1 - good)));
  }
  // the first bad point being c means that all of c … end have the fault
  const logs = new Array<number>(points).fill(-Infinity);
  let sum = 0;
  for (let culprit = points - 1; culprit >= 1; culprit -= 1) {
    sum += evidence[culprit] ?? 0;
    logs[culprit] = sum;
  }
  const greatest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - greatest));
  const total = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The most probable group. */
export function likeliestGroup(posterior: readonly number[], skipped: ReadonlySet<number>): CulpritGroup {
  let best: CulpritGroup = { first: 1, last: 1, probability: -1 };
  let open: CulpritGroup = { first: 1, last: 1, probability: 0 };
  for (let point = 1; point < posterior.length; point += 1) {
    open = { first: open.first, last: point, probability: open.probability + (posterior[point] ?? 0) };
    if (skipped.has(point)) continue;
    if (open.probability > best.probability) best = open;
    open = { first: point + 1, last: point + 1, probability: 0 };
  }
  return best;
}
