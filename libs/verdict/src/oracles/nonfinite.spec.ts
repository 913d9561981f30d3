import { describe, expect, it } from 'vitest';
import { ask, createEvidence } from '../testing/index.js';

type Evidence = ReturnType<typeof createEvidence>;
const answered = (extra: object, evidence: Evidence) => ask({ kind: 'nonfinite', which: 'any', ...extra }, evidence.exit(0).build());
const state = (extra: object, evidence: Evidence) => answered(extra, evidence).state;

describe('a number that is not finite', () => {
  it.each([
    ['any', 'shown', 'shown', 'shown'],
    ['nan', 'shown', 'absent', 'absent'],
    ['inf', 'absent', 'shown', 'shown'],
  ])('asked for as %s', (which, nan, inf, negative) => {
    expect(state({ which }, createEvidence().obs({ loss: 'nan' }))).toBe(nan);
    expect(state({ which }, createEvidence().obs({ loss: 'inf' }))).toBe(inf);
    expect(state({ which }, createEvidence().stdout('loss: -inf'))).toBe(negative);
    expect(state({ which }, createEvidence().obs({ loss: 1e308 }))).toBe('absent');
  });

  it('is one of the claimed name', () => {
    expect(state({ name: 'loss' }, createEvidence().obs({ 'train/loss': 'nan' }))).toBe('shown');
    expect(state({ name: 'loss' }, createEvidence().obs({ acc: 'nan', loss: 1 }))).toBe('absent');
    expect(answered({ name: 'loss' }, createEvidence().obs({ acc: 'nan' }))).toMatchObject({
      state: 'undecided',
      note: 'loss was never observed or printed',
    });
    expect(answered({}, createEvidence()).note).toBe('a number was never observed or printed');
  });

  it('is shown by its first line, printed or observed', () => {
    const evidence = createEvidence().stdout('loss: nan').obs({ loss: 'nan' });
    expect(answered({}, evidence).grounding).toMatchObject([{ seq: 2 }]);
    expect(answered({}, createEvidence().obs({ loss: 1 }).obs({ loss: 2 })).grounding).toMatchObject([{ seq: 3 }]);
  });

  it('comes at the claimed step or before', () => {
    const at = (step: number) => createEvidence().obs({ loss: 'nan', step });
    expect(state({ atMostStep: 5 }, at(4))).toBe('shown');
    expect(state({ atMostStep: 5 }, at(5))).toBe('shown');
    expect(answered({ atMostStep: 5 }, at(6))).toMatchObject({ state: 'absent', note: 'not finite, but only after step 5' });
    expect(answered({ atMostStep: 5 }, createEvidence().obs({ loss: 'nan' })).note).toBe('not finite, at a step that nothing tells');
    expect(state({ atMostStep: 5 }, at(6).obs({ loss: 'nan' }))).toBe('undecided');
    expect(answered({ atMostStep: 5 }, createEvidence().obs({ loss: 'nan' }).obs({ loss: 'nan', step: 5 }))).toMatchObject({
      state: 'shown',
      grounding: [{ seq: 3 }],
    });
  });
});
