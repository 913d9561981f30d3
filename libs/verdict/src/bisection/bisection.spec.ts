import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BisectionConclusion, ProbeResult } from '@reenact/domain';
import { seededDraws } from '@reenact/domain';
import { nextProbe } from './next-probe.js';
import { culpritPosterior, likeliestGroup } from './posterior.js';

interface History {
  points: number;
  firstBad: number;
  /** How often a bad point shows the fault, and how often the report says it does. */
  rate?: number;
  claimed?: number;
  falselyShown?: number;
  unrunnable?: (point: number) => boolean;
  maxTrials?: number;
}

/** Carries the search out on a history whose culprit is known. */
function bisect(history: History, random: () => number = () => 0): BisectionConclusion & { results: ProbeResult[] } {
  const { points, firstBad, rate = 1, claimed = rate, falselyShown = 0 } = history;
  const results: ProbeResult[] = [];
  for (;;) {
    const step = nextProbe({ points, rates: { shown: claimed, falselyShown: 0.001 }, results, maxTrials: history.maxTrials ?? 400 });
    if (step.done) return { ...step.conclusion, results };
    const shows = random() < (step.point >= firstBad ? rate : falselyShown);
    const state = history.unrunnable?.(step.point) === true ? 'skip' : shows ? 'shown' : 'absent';
    results.push({ point: step.point, state, phase: step.phase });
  }
}

describe('culpritPosterior', () => {
  it('is uniform before any trial, and moves by the ratio of the likelihoods', () => {
    expect(culpritPosterior(5, { shown: 0.5, falselyShown: 0.1 }, [])).toEqual([0, 0.25, 0.25, 0.25, 0.25]);
    // shown at 2: first bad in {1, 2} has likelihood 0.5, in {3, 4} 0.1, so 5 : 5 : 1 : 1 of 12
    const after = culpritPosterior(5, { shown: 0.5, falselyShown: 0.1 }, [{ point: 2, state: 'shown', phase: 'search' }]);
    for (const [index, expected] of [0, 5 / 12, 5 / 12, 1 / 12, 1 / 12].entries()) expect(after[index]).toBeCloseTo(expected, 12);
  });

  it('takes points that could not be run together with the next one that could', () => {
    expect(likeliestGroup([0, 0.2, 0.3, 0.1, 0.4], new Set([2]))).toEqual({ first: 2, last: 3, probability: 0.4 });
    expect(likeliestGroup([0, 0.2, 0.3, 0.2, 0.3], new Set([2]))).toEqual({ first: 2, last: 3, probability: 0.5 });
  });
});

describe('nextProbe', () => {
  it('finds the exact point of a fault that always shows, in about log2 of the points', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 300 }).chain((points) => fc.tuple(fc.constant(points), fc.integer({ min: 1, max: points - 1 }))),
        ([points, firstBad]) => {
          const found = bisect({ points, firstBad });
          expect(found).toMatchObject({ status: 'found', culprit: { first: firstBad, last: firstBad } });
          expect(found.trials).toBeLessThanOrEqual(Math.ceil(Math.log2(points)) + 14);
        },
      ),
    );
  });

  it('checks two further points on either side of the culprit', () => {
    const { results } = bisect({ points: 65, firstBad: 30 });
    const checked = results.filter((result) => result.phase === 'validate').map((result) => result.point);
    expect(checked.filter((point) => point < 30)).toHaveLength(2);
    expect(checked.filter((point) => point > 30)).toHaveLength(2);
  });

  it('finds the exact point of a fault that shows in three of ten trials, in at least nine of ten tries', () => {
    const random = seededDraws(7);
    const tries = Array.from({ length: 200 }, () => {
      const firstBad = 1 + Math.floor(random() * 63);
      const found = bisect({ points: 64, firstBad, rate: 0.3, falselyShown: 0 }, random);
      return { right: found.culprit?.first === firstBad && found.culprit.last === firstBad, trials: found.trials };
    });
    expect(tries.filter(({ right }) => right).length).toBeGreaterThanOrEqual(180);
  });

  it('names a range where points between could not be run, and never probes one of them twice', () => {
    const found = bisect({ points: 40, firstBad: 21, unrunnable: (point) => point >= 18 && point <= 22 });
    expect(found).toMatchObject({ status: 'found', culprit: { first: 18, last: 23 } });
    const skips = found.results.filter((result) => result.state === 'skip').map((result) => result.point);
    expect(new Set(skips).size).toBe(skips.length);
  });

  it('says which end is wrong before anything is searched', () => {
    expect(bisect({ points: 9, firstBad: 0 })).toMatchObject({ status: 'good-end-shows', culprit: null, trials: 7 });
    expect(bisect({ points: 9, firstBad: 99 })).toMatchObject({ status: 'bad-end-absent', trials: 1 });
    // a rate of 0.3 leaves a miss of at most 5 % after nine trials
    expect(bisect({ points: 9, firstBad: 99, rate: 0.3 }, seededDraws(1))).toMatchObject({ status: 'bad-end-absent', trials: 9 });
    expect(bisect({ points: 9, firstBad: 3, unrunnable: (point) => point === 0 })).toMatchObject({ status: 'end-not-runnable' });
  });

  it('stops at its limit of trials and names a culprit only where it is more probable than not', () => {
    const short = bisect({ points: 200, firstBad: 77, maxTrials: 4 });
    expect(short).toMatchObject({ status: 'uncertain', culprit: null, trials: 4 });
  });

  it('names no culprit where the trials end before the ends are known', () => {
    expect(bisect({ points: 2, firstBad: 99, rate: 0.3, maxTrials: 2 }, seededDraws(1))).toMatchObject({
      status: 'uncertain',
      culprit: null,
    });
    expect(bisect({ points: 2, firstBad: 1, maxTrials: 5 })).toMatchObject({ status: 'uncertain', culprit: null });
  });

  it('is not sure where the trials end before the culprit is checked', () => {
    const whole = bisect({ points: 65, firstBad: 30 });
    expect(bisect({ points: 65, firstBad: 30, maxTrials: whole.trials - 1 }).status).toBe('uncertain');
  });

  it.each([0.5, 0.7, 0.9])('is seldom wrong about a fault that is said to show always and shows in %d of the trials', (rate) => {
    const random = seededDraws(11);
    const tries = Array.from({ length: 300 }, () => {
      const firstBad = 1 + Math.floor(random() * 63);
      const found = bisect({ points: 64, firstBad, rate, claimed: 1 }, random);
      return found.status === 'found' && found.culprit?.first !== firstBad;
    });
    expect(tries.filter(Boolean).length).toBeLessThanOrEqual(300 * 0.05);
  });

  it('is not sure where a point contradicts the culprit, however probable that one is', () => {
    const found = bisect({ points: 41, firstBad: 20 });
    expect(found).toMatchObject({ status: 'found', contradictions: [] });
    const later = found.results.findLast((result) => result.phase === 'validate')!;
    const results = found.results.map((result) => (result === later ? { ...result, state: 'absent' as const } : result));
    const step = nextProbe({ points: 41, rates: { shown: 1, falselyShown: 0.001 }, results, maxTrials: results.length });
    expect(step).toMatchObject({ done: true, conclusion: { status: 'uncertain', contradictions: [later.point] } });
  });
});
