import type { Arm, FacetState, Finding } from '@reenact/domain';
import { isReproduced } from '@reenact/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceptionOracle, infraTrial, judgeInput, observedFacet, relationOracle } from '../testing/index.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { judge } from './judge.js';

const facets = [
  observedFacet([exceptionOracle({ types: ['IndexError'], message: { text: 'Dimension out of range', match: 'contains' } })]),
  observedFacet([relationOracle('acc', '>', 1)], { id: 'wrong', shownBy: 'measurement' }),
];
const states: FacetState[] = ['shown', 'shown', 'shown', 'absent', 'absent', 'collision', 'undecided'];

const trialArbitrary = fc
  .record({
    arm: fc.constantFrom<Arm>('candidate', 'candidate', 'fixed', 'good', 'tripwire'),
    states: fc.tuple(fc.constantFrom(...states), fc.constantFrom(...states)),
    sentinelSeen: fc.boolean(),
    exitCode: fc.constantFrom(0, 0, 1),
    files: fc.constantFrom<string[]>(['cell.py'], [], ['other.py']),
    failed: fc.boolean(),
    infra: fc.boolean(),
  })
  .map((drawn): JudgedTrial => {
    if (drawn.infra && drawn.exitCode === 1) return infraTrial(drawn.arm, 0);
    return {
      ...infraTrial(drawn.arm, 0),
      outcome: 'finished',
      sentinelSeen: drawn.arm === 'tripwire' ? drawn.sentinelSeen : null,
      facets: facets.map((facet, index) => ({ id: facet.id, state: drawn.states[index] ?? 'undecided', grounding: [] })),
      facts: {
        exitCodes: [drawn.exitCode],
        cutBy: null,
        failure: drawn.failed ? { signature: 'ValueError', type: 'ValueError', seq: 1, raisedIn: 'subject' } : null,
        observationNames: ['acc'],
        subjectFiles: drawn.files,
        ranks: 1,
        subjectInException: false,
        probeAlive: true,
        python: null,
        sandbox: null,
      },
    };
  });

const inputArbitrary = fc
  .record({
    trials: fc.array(trialArbitrary, { maxLength: 40 }),
    finding: fc.constantFrom<Finding['level'] | null>(null, null, null, 'finding', 'suspicion'),
    controls: fc.constantFrom(['fixed' as const], [], ['fixed' as const, 'good' as const]),
    built: fc.boolean(),
    expectedRate: fc.constantFrom(1, 0.3),
    onlyCrash: fc.boolean(),
  })
  .map((drawn) => ({
    drawn,
    input: judgeInput(
      drawn.onlyCrash ? facets.slice(0, 1) : facets,
      drawn.trials.map((trial, index) => ({ ...trial, trial: `t${index}`, index })),
      {
        findings: drawn.finding ? [{ rule: 'edits-the-subject', message: 'x', level: drawn.finding }] : [],
        controls: drawn.controls.map((arm) => ({ arm, label: arm })),
        tripwire: { built: drawn.built, note: 'none' },
        expectedRate: drawn.expectedRate,
      },
    ),
  }));

describe('judge on random trials', () => {
  it('keeps the promises of every reproduced verdict', () => {
    let reproduced = 0;
    fc.assert(
      fc.property(inputArbitrary, ({ input, drawn }) => {
        const judgement = judge(input);
        if (!isReproduced(judgement.verdict)) return;
        reproduced += 1;
        const finished = input.trials.filter((trial) => trial.outcome === 'finished');
        const live = judgement.facets.filter((facet) => facet.live);
        expect(drawn.finding).not.toBe('finding');
        expect(judgement.rate.total).toBeGreaterThanOrEqual(3);
        expect(live.every((facet) => facet.state === 'shown')).toBe(true);
        expect(judgement.controls.every((control) => control.state !== 'shown')).toBe(true);
        expect(['A', 'B', 'C']).toContain(judgement.grade);
        for (const trial of finished.filter((one) => one.arm === 'tripwire')) expect(trial.sentinelSeen).toBe(true);
        if (input.facets.length === 2)
          expect(judgement.controls.some((control) => control.arm !== 'tripwire' && control.state === 'absent')).toBe(true);
        if (judgement.verdict === 'reproduced') {
          expect(judgement.rate.shown * 2).toBeGreaterThanOrEqual(judgement.rate.total);
          expect(
            judgement.controls.some(
              (control) => control.arm !== 'tripwire' && control.state === 'absent' && control.rate.total >= judgement.rate.total,
            ),
          ).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(reproduced).toBeGreaterThan(0);
  });

  it('always answers with a sentence, and never counts infrastructure failures', () => {
    fc.assert(
      fc.property(inputArbitrary, ({ input }) => {
        const judgement = judge(input);
        expect(judgement.sentence.endsWith('.')).toBe(true);
        expect(judgement.rate.total).toBe(input.trials.filter((trial) => trial.arm === 'candidate' && trial.outcome === 'finished').length);
      }),
    );
  });

  it('does not depend on the order of the trials of an arm where all say the same', () => {
    fc.assert(
      fc.property(inputArbitrary, ({ input }) => {
        const judgement = judge(input);
        const reversed = judge({ ...input, trials: input.trials.toReversed() });
        expect(isReproduced(reversed.verdict) && judgement.verdict === 'refused').toBe(false);
        expect(reversed.rate).toEqual(judgement.rate);
      }),
    );
  });
});
