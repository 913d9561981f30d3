import type { VerdictState } from '@reenact/domain';
import { judge } from '../judgement/judge.js';
import type { Interval } from '../statistics/intervals.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { nextTrials } from '../verification/trial-plan.js';
import { createCoverageTrials } from './coverage-simulation.js';
import type { CoverageDesign } from './coverage-simulation.js';
import { judgeInput } from './series.js';

type Design = Pick<CoverageDesign, 'facet' | 'expectedRate'>;

/** An end that series can reach, and by how many orders of shown and missed trials. */
export interface CoverageEnd extends Interval {
  shown: number;
  total: number;
  orders: number;
  verdict: VerdictState;
}

interface Reached {
  isFirstShown: boolean;
  shown: number;
  total: number;
  orders: number;
}

/** All ends of a design: the planner looks at the first trial and at counts, so orders that agree in those are one path. */
export function coverageEnds(design: Design): CoverageEnd[] {
  const makeTrial = createCoverageTrials(design);
  const ends: CoverageEnd[] = [];
  let open: Reached[] = [{ isFirstShown: false, shown: 0, total: 0, orders: 1 }];
  while (open.length > 0) {
    const next = new Map<string, Reached>();
    for (const { isFirstShown, shown, total, orders } of open) {
      const later = isFirstShown ? shown - 1 : shown;
      const finished = Array.from({ length: total }, (_unused, index) =>
        makeTrial('candidate', index, index === 0 ? isFirstShown : index <= later),
      );
      const wanted = wantedCandidates(design, finished, makeTrial);
      if (wanted === 0) {
        const { rate, verdict } = judge({ ...judgeInput([design.facet], finished), expectedRate: design.expectedRate });
        ends.push({ shown, total, orders, verdict, low: rate.low, high: rate.high });
        continue;
      }
      for (let more = 0; more <= wanted; more += 1) {
        const step = { isFirstShown: total === 0 ? more > 0 : isFirstShown, shown: shown + more, total: total + wanted };
        const key = `${step.isFirstShown} ${step.shown} ${step.total}`;
        next.set(key, { ...step, orders: (next.get(key)?.orders ?? 0) + orders * choose(wanted, more) });
      }
    }
    open = [...next.values()];
  }
  return ends;
}

/** Probability that a series at this rate ends so that the interval holds the rate, among the ends given. */
export function exactCoverage(ends: readonly CoverageEnd[], rate: number): number {
  const chanceOf = (end: CoverageEnd) => end.orders * rate ** end.shown * (1 - rate) ** (end.total - end.shown);
  const all = ends.reduce((sum, end) => sum + chanceOf(end), 0);
  return ends.filter((end) => end.low <= rate && rate <= end.high).reduce((sum, end) => sum + chanceOf(end), 0) / all;
}

function choose(n: number, k: number): number {
  let result = 1;
  for (let step = 1; step <= k; step += 1) result = (result * (n - step + 1)) / step;
  return result;
}

/** Asks the planner until it wants candidates or ends; the other arms answer at once. Returns how many candidates it wants. */
function wantedCandidates(
  { facet, expectedRate }: Design,
  finished: JudgedTrial[],
  makeTrial: ReturnType<typeof createCoverageTrials>,
): number {
  for (;;) {
    const state = { facets: [facet], notLive: [], expectedRate, candidatesVerified: 1, tripwire: true, finished };
    const plan = nextTrials({ ...state, controlArms: ['fixed'] });
    const wanted = plan.trials.filter((trial) => trial.arm === 'candidate').length;
    for (const { arm, index } of plan.trials) if (arm !== 'candidate') finished.push(makeTrial(arm, index, false));
    if (plan.done || wanted > 0) return wanted;
  }
}
