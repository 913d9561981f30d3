import type { Arm, Facet, VerdictState } from '@reenact/domain';
import { isReproduced } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { judge } from '../judgement/judge.js';
import type { Interval } from '../statistics/intervals.js';
import { negativeBinomialInterval } from '../statistics/negative-binomial.js';
import { seededDraws } from '../statistics/seeded-draws.js';
import { createEvidence, finishedTrial, frame, judgeInput, observedFacet, playSeries, relationOracle } from '../testing/index.js';
import type { JudgedTrial } from './judged-trial.js';
import { nextTrials } from './trial-plan.js';

// Trials of a flaky fault with a true rate, planned and judged by the real planner and judge: how often the published interval
// holds that rate, although the number of trials depends on what they show.

const SERIES = 400;
const RATES = [0.1, 0.3, 0.5, 0.9];

interface Design {
  facet: Facet;
  claimedRate: number;
}

const printed = observedFacet([{ kind: 'output', pattern: 'bad', flags: '', stream: 'any', atLeast: 1 }]);
const measured = observedFacet([relationOracle('acc', '>', 1)], { shownBy: 'measurement' });
const DESIGNS: [string, Design][] = [
  ['the report suggests chance', { facet: printed, claimedRate: 0.3 }],
  ['the report suggests a rare fault', { facet: printed, claimedRate: 0.1 }],
  ['the report speaks of no chance', { facet: printed, claimedRate: 1 }],
  ['the report speaks of no chance, and one signature needs no test', { facet: measured, claimedRate: 1 }],
];

/** Makes trials: the fault in the candidate arm only, and a tripwire that holds. Equal evidence is judged once. */
function createTrials({ facet }: Design): (arm: Arm, index: number, isBad: boolean) => JudgedTrial {
  const stack = [frame('script', 'repro.py', '<module>'), frame('subject', 'train.py', 'train')];
  const evidence = (isBad: boolean) =>
    createEvidence()
      .modules('train.py')
      .stdout(isBad ? 'bad' : 'good')
      .obs({ acc: isBad ? 2 : 0.5 })
      .exit(0)
      .build();
  const tripped = createEvidence().modules('train.py').exception({ message: 'sentinel-1', frames: stack }).exit(1).build();
  const [bad, good] = [true, false].map((isBad) => finishedTrial('candidate', 0, evidence(isBad), [facet]));
  const tripwire = finishedTrial('tripwire', 0, tripped, [facet]);
  return (arm, index, isBad) => {
    const made = arm === 'tripwire' ? tripwire : arm === 'candidate' && isBad ? bad : good;
    return { ...(made as JudgedTrial), arm, index, trial: `${arm}-${index}` };
  };
}

/** Share of simulated series whose published interval holds the rate. */
function simulatedCoverage(design: Design, rate: number): number {
  const makeTrial = createTrials(design);
  const { facet, claimedRate } = design;
  let covered = 0;
  for (let run = 0; run < SERIES; run += 1) {
    const draw = seededDraws(run * 7_919 + Math.round(rate * 1_000));
    const { judgement } = playSeries([facet], (arm, index) => makeTrial(arm, index, arm === 'candidate' && draw() < rate), { claimedRate });
    if (judgement.rate.low <= rate && rate <= judgement.rate.high) covered += 1;
  }
  return covered / SERIES;
}

/** An end that series can reach, and by how many orders of shown and missed trials. */
interface End extends Interval {
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

function choose(n: number, k: number): number {
  let result = 1;
  for (let step = 1; step <= k; step += 1) result = (result * (n - step + 1)) / step;
  return result;
}

/** Asks the planner until it wants candidates or ends; the other arms answer at once. Returns how many candidates it wants. */
function wantedCandidates({ facet, claimedRate }: Design, finished: JudgedTrial[], makeTrial: ReturnType<typeof createTrials>): number {
  for (;;) {
    const state = { facets: [facet], notLive: [], claimedRate, candidatesVerified: 1, tripwire: true, finished };
    const plan = nextTrials({ ...state, controlArms: ['fixed'] });
    const wanted = plan.trials.filter((trial) => trial.arm === 'candidate').length;
    for (const { arm, index } of plan.trials) if (arm !== 'candidate') finished.push(makeTrial(arm, index, false));
    if (plan.done || wanted > 0) return wanted;
  }
}

/** All ends of a design: the planner looks at the first trial and at counts, so orders that agree in those are one path. */
function allEnds(design: Design): End[] {
  const makeTrial = createTrials(design);
  const ends: End[] = [];
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
        const { rate, verdict } = judge({ ...judgeInput([design.facet], finished), claimedRate: design.claimedRate });
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
function exactCoverage(ends: readonly End[], rate: number): number {
  const chanceOf = (end: End) => end.orders * rate ** end.shown * (1 - rate) ** (end.total - end.shown);
  const all = ends.reduce((sum, end) => sum + chanceOf(end), 0);
  return ends.filter((end) => end.low <= rate && rate <= end.high).reduce((sum, end) => sum + chanceOf(end), 0) / all;
}

const GRID = Array.from({ length: 199 }, (_unused, step) => (step + 1) / 200);

describe.each(DESIGNS)('the interval of a flaky fault where %s', (_name, design) => {
  const ends = allEnds(design);

  it.each(RATES)('at a rate of %f covers it in at least 95 % of the verdicts, simulated and by the exact count of all series', (rate) => {
    const [simulated, exact] = [simulatedCoverage(design, rate), exactCoverage(ends, rate)];
    expect(simulated).toBeGreaterThanOrEqual(0.95);
    expect(exact).toBeGreaterThanOrEqual(0.95);
    // Four standard errors of the simulation.
    expect(Math.abs(simulated - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / SERIES));
  });

  it('reaches at least 93.9 % at every other rate: stopping early costs Clopper–Pearson up to 1.1 points', () => {
    for (const rate of GRID) expect(exactCoverage(ends, rate)).toBeGreaterThan(0.939);
  });
});

describe('what the interval does not hold', () => {
  const chance = allEnds({ facet: printed, claimedRate: 0.3 });
  const reproduced = (design: Design) => allEnds(design).filter((end) => isReproduced(end.verdict));

  it('at a rate of 0.44 it covers 94 %, as 0 of 9 and 5 of 5 end a series that others go on with', () => {
    expect(exactCoverage(chance, 0.437)).toBeCloseTo(0.9396, 4);
  });

  it('the negative-binomial interval would cover less: no series ends at a success', () => {
    const inverse = chance.map((end) => (end.shown > 0 ? { ...end, ...negativeBinomialInterval(end.shown, end.total) } : end));
    expect(exactCoverage(inverse, 0.4)).toBeCloseTo(0.9246, 4);
    expect(exactCoverage(chance, 0.4)).toBeCloseTo(0.9572, 4);
  });

  // Fisher's test lets 5 of 20 pass as the least, so of a fault at 0.1 only the lucky series are called reproduced: no interval
  // that looks at the counts alone can mend a choice that was made by those very counts.
  it.each([
    [0.3, 0.1, 0.7232],
    [0.1, 0.1, 0.8573],
    [1, 0.1, 0.6714],
    [0.3, 0.3, 0.9808],
    [0.3, 0.5, 0.9809],
    [0.3, 0.9, 0.9875],
  ])('with a claimed rate of %f, of the series at %f that are called reproduced it covers a share of %f', (...row) => {
    const [claimedRate, rate, share] = row;
    expect(exactCoverage(reproduced({ facet: printed, claimedRate }), rate)).toBeCloseTo(share, 4);
  });
});
