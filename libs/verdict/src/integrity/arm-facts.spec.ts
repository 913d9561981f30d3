import type { Arm, Finding } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidence, finishedTrial, infraTrial, observedFacet, relationOracle } from '../testing/index.js';
import { controlState, decide, groundingRecords, persistence, shownTrials, trialsOf, tripwireFacts } from './arm-facts.js';
import type { ConfirmInput, TrialEvidence } from './rule.js';

const facets = [
  observedFacet([relationOracle('acc', '>', 1)], { id: 'acc' }),
  observedFacet([relationOracle('loss', '>', 1)], { id: 'loss' }),
];
type Values = { acc?: number; loss?: number; tripped?: boolean };

function trial(arm: Arm, { tripped = false, ...values }: Values): TrialEvidence {
  const evidence = createEvidence().obs(values as Record<string, number>);
  const records = (tripped ? evidence.exception({ message: 'reenact-tripwire-sentinel-1' }).exit(1) : evidence.exit(0)).build();
  return { judged: finishedTrial(arm, 0, records, facets), records };
}
const input = (...trials: TrialEvidence[]) => ({ trials }) as unknown as ConfirmInput;
const both = { acc: 2, loss: 2 };
const neither = { acc: 0, loss: 0 };

describe('trialsOf and shownTrials', () => {
  it('take finished trials of the arm, in which the facet or any facet was shown', () => {
    const candidate = trial('candidate', { acc: 2, loss: 0 });
    const spoilt = { judged: infraTrial('candidate', 1), records: [] };
    const all = input(candidate, spoilt, trial('fixed', both));
    expect(trialsOf(all, 'candidate')).toEqual([candidate]);
    expect([shownTrials(all, 'acc').length, shownTrials(all, 'loss').length, shownTrials(all, undefined).length]).toEqual([1, 0, 1]);
  });

  it('rest on the records of what was shown', () => {
    const candidate = trial('candidate', { acc: 2, loss: 0 });
    expect(groundingRecords(candidate, 'acc').map(({ seq }) => seq)).toEqual([2]);
    expect(groundingRecords(candidate, 'loss')).toEqual([]);
    expect(groundingRecords(candidate, undefined).map(({ seq }) => seq)).toEqual([2]);
  });
});

describe('controlState', () => {
  it('is shown where any control shows it, of either kind', () => {
    expect(controlState(input(trial('fixed', neither), trial('good', both)), 'acc')).toBe('shown');
    expect(controlState(input(trial('fixed', both), trial('good', neither)), 'acc')).toBe('shown');
  });

  it('is absent where one control decided it, for the facet or for all of them', () => {
    expect(controlState(input(trial('fixed', { acc: 0 })), 'acc')).toBe('absent');
    expect(controlState(input(trial('fixed', { acc: 0 })), undefined)).toBe('unknown');
    expect(controlState(input(trial('fixed', neither)), undefined)).toBe('absent');
    expect(controlState(input(trial('fixed', { loss: 0 })), 'acc')).toBe('unknown');
  });

  it('is not known by the other arms', () => {
    expect(controlState(input(), 'acc')).toBe('unknown');
    for (const arm of ['candidate', 'tripwire', 'trigger', 'sabotage'] as const)
      expect(controlState(input(trial(arm, both)), 'acc')).toBe('unknown');
  });
});

describe('tripwireFacts', () => {
  it('is tripped where every trial saw the sentinel, and shown where one still shows the facet', () => {
    const tripped = trial('tripwire', { tripped: true });
    expect(tripwireFacts(input(tripped), 'acc')).toEqual({ ran: true, tripped: true, shown: false });
    expect(tripwireFacts(input(tripped, trial('tripwire', both)), 'acc')).toEqual({ ran: true, tripped: false, shown: true });
    expect(tripwireFacts(input(), 'acc')).toEqual({ ran: false, tripped: false, shown: false });
  });
});

describe('persistence', () => {
  it('names the arm in which the signal is still there', () => {
    expect(persistence(input(trial('fixed', both)), 'acc')).toBe('the signal is also there in the control arm');
    expect(persistence(input(trial('fixed', neither), trial('tripwire', both)), 'acc')).toContain('sabotaged');
    expect(persistence(input(trial('fixed', neither)), 'acc')).toBeNull();
  });
});

describe('decide', () => {
  const finding: Finding = { rule: 'raises-itself', level: 'suspicion', message: 'x', facet: 'acc' };
  const level = (detail: Finding['detail'], ...trials: TrialEvidence[]) =>
    decide({ ...finding, ...(detail ? { detail } : {}) }, input(...trials), 'line 3').level;

  it('refuses what outlives the fault, and lets go what a control takes away', () => {
    expect(level(undefined, trial('fixed', both))).toBe('finding');
    expect(level({ guarded: true }, trial('fixed', both))).toBe('finding');
    expect(level(undefined, trial('fixed', neither))).toBe('refuted');
  });

  it('without a control refuses only what the subject does not guard', () => {
    expect([level(undefined), level({ guarded: false }), level({ guarded: true })]).toEqual(['finding', 'finding', 'suspicion']);
  });
});
