import type { Arm, FacetState } from '@reenact/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvidence, exceptionOracle, finishedTrial, infraTrial, observedFacet, playSeries, relationOracle } from '../testing/index.js';
import type { JudgedTrial } from './judged-trial.js';
import { nextTrials, type TrialPlanState } from './trial-plan.js';

const exact = observedFacet([relationOracle('acc', '>', 1)], { shownBy: 'measurement' });
const chance = observedFacet([{ kind: 'output', pattern: 'bad', flags: '', stream: 'any', atLeast: 1 }]);

const measured = (arm: Arm, index: number, acc: number) =>
  finishedTrial(arm, index, createEvidence().modules('train.py').obs({ acc }).exit(0).build(), [exact]);
const printed = (arm: Arm, index: number, line: string) =>
  finishedTrial(arm, index, createEvidence().modules('train.py').stdout(line).exit(0).build(), [chance]);
const tripped = (index: number, facet = exact) =>
  finishedTrial('tripwire', index, createEvidence().notice('tripwire', 'sentinel-1 train.py:train').exit(0).build(), [facet]);

const planState = (finished: JudgedTrial[], extra: Partial<TrialPlanState> = {}): TrialPlanState => ({
  facets: [exact],
  notLive: [],
  expectedRate: 1,
  controlArms: ['fixed'],
  tripwire: true,
  candidatesVerified: 1,
  finished,
  ...extra,
});
const asked = (state: TrialPlanState) => nextTrials(state).trials.map(({ arm, index }) => `${arm}-${index}`);

describe('nextTrials', () => {
  it('begins with one candidate, then one control and one tripwire, then the rest', () => {
    const finished = [measured('candidate', 0, 2)];
    expect(asked(planState([]))).toEqual(['candidate-0']);
    expect(asked(planState(finished))).toEqual(['fixed-0', 'tripwire-0']);
    finished.push(measured('fixed', 0, 0.5), tripped(0));
    expect(asked(planState(finished))).toEqual(['candidate-1', 'candidate-2']);
    finished.push(measured('candidate', 1, 2), measured('candidate', 2, 2));
    expect(asked(planState(finished))).toEqual(['fixed-1', 'fixed-2']);
    finished.push(measured('fixed', 1, 0.5), measured('fixed', 2, 0.5));
    expect(nextTrials(planState(finished))).toEqual({ trials: [], done: true, reason: 'complete' });
  });

  it('asks for five and five, and two tripwires, where the kind is not deterministic', () => {
    const { finished, reason } = playSeries([chance], (arm, index) =>
      arm === 'tripwire' ? tripped(index, chance) : printed(arm, index, arm === 'candidate' ? 'bad' : 'good'),
    );
    const count = (arm: Arm) => finished.filter((trial) => trial.arm === arm).length;
    expect([count('candidate'), count('fixed'), count('tripwire'), reason]).toEqual([5, 5, 2, 'complete']);
  });

  it('asks for ten where trials are mixed, and for twenty below one half', () => {
    const play = (isBad: (index: number) => boolean) =>
      playSeries(
        [chance],
        (arm, index) =>
          arm === 'tripwire' ? tripped(index, chance) : printed(arm, index, arm === 'candidate' && isBad(index) ? 'bad' : 'good'),
        { expectedRate: 0.5 },
      ).finished;
    const count = (finished: JudgedTrial[], arm: Arm) => finished.filter((trial) => trial.arm === arm).length;
    const most = play((index) => index % 4 !== 3);
    expect([count(most, 'candidate'), count(most, 'fixed')]).toEqual([10, 10]);
    const few = play((index) => index % 3 === 0);
    expect([count(few, 'candidate'), count(few, 'fixed')]).toEqual([20, 20]);
  });

  it('rejects at the first absent trial, or after the miss bound where the report suggests chance', () => {
    expect(nextTrials(planState([measured('candidate', 0, 0.5)]))).toMatchObject({ done: true, reason: 'not-shown' });
    const flaky = planState([measured('candidate', 0, 0.5)], { expectedRate: 0.3 });
    expect(nextTrials(flaky).trials).toHaveLength(8);
    const misses = Array.from({ length: 9 }, (_unused, index) => measured('candidate', index, 0.5));
    expect(nextTrials(planState(misses, { expectedRate: 0.3 }))).toMatchObject({ done: true, reason: 'not-shown' });
  });

  it('ends where the control shows it, or the tripwire does not hold', () => {
    const shown = measured('candidate', 0, 2);
    expect(nextTrials(planState([shown, measured('fixed', 0, 2), tripped(0)])).reason).toBe('control-shows');
    expect(nextTrials(planState([shown, measured('fixed', 0, 0.5), measured('tripwire', 0, 2)])).reason).toBe('tripwire-fails');
  });

  it('repeats what the platform spoiled at most three times, with a fresh index', () => {
    expect(asked(planState([infraTrial('candidate', 0)]))).toEqual(['candidate-1']);
    expect(asked(planState([0, 1, 2].map((index) => infraTrial('candidate', index))))).toEqual(['candidate-3']);
    expect(nextTrials(planState([0, 1, 2, 3].map((index) => infraTrial('candidate', index))))).toMatchObject({
      done: true,
      reason: 'infra',
    });
  });

  it('gives up a control that twice says nothing, and does not wait for facets without a check', () => {
    const crash = (index: number) => finishedTrial('fixed', index, createEvidence().exception({ frames: [] }).exit(1).build(), [exact]);
    const finished = [
      measured('candidate', 0, 2),
      tripped(0),
      crash(0),
      measured('candidate', 1, 2),
      measured('candidate', 2, 2),
      crash(1),
    ];
    expect(nextTrials(planState(finished))).toMatchObject({ done: true, reason: 'complete' });
    const unbound = observedFacet([]);
    expect(nextTrials(planState([finishedTrial('candidate', 0, [], [unbound])], { facets: [unbound] })).reason).toBe('undecided');
    expect(nextTrials(planState([], { facets: [exceptionFacet] })).trials).toHaveLength(1);
  });

  it('always ends, within the greatest number of trials, whatever the trials say', () => {
    const states: FacetState[] = ['shown', 'absent', 'collision', 'undecided'];
    const trial = fc.record({
      outcome: fc.constantFrom('finished', 'finished', 'finished', 'infra'),
      state: fc.constantFrom(...states),
      sentinelSeen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.infiniteStream(trial), fc.constantFrom(1, 0.5, 0.3), (stream, expectedRate) => {
        const { finished } = playSeries(
          [chance],
          (arm, index) => {
            const drawn = stream.next().value as { outcome: 'finished' | 'infra'; state: FacetState; sentinelSeen: boolean };
            if (drawn.outcome === 'infra') return infraTrial(arm, index);
            const made = printed(arm, index, 'good');
            return {
              ...made,
              sentinelSeen: arm === 'tripwire' ? drawn.sentinelSeen : null,
              facets: [{ id: chance.id, state: drawn.state, grounding: [] }],
            };
          },
          { expectedRate },
        );
        expect(finished.filter((one) => one.arm === 'candidate' && one.outcome === 'finished').length).toBeLessThanOrEqual(20);
        expect(new Set(finished.map((one) => `${one.arm}-${one.index}`)).size).toBe(finished.length);
      }),
    );
  });
});

const exceptionFacet = observedFacet([exceptionOracle({ types: ['IndexError'] })]);
