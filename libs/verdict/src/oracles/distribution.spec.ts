import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oracle = { kind: 'distribution', name: 'acc', greaterArm: 'old', lesserArm: 'new' };
const evidence = (old: readonly (number | boolean)[], fresh: readonly (number | boolean)[]) => {
  const made = old.reduce((so, acc) => so.obs({ acc, arm: 'old' }), createEvidence());
  return fresh.reduce((so, acc) => so.obs({ acc, arm: 'new' }), made);
};
const state = (asked: object, ...arms: Parameters<typeof evidence>) =>
  ask(
    asked,
    evidence(...arms)
      .exit(0)
      .build(),
  ).state;
const high = [0.9, 0.91, 0.92, 0.93, 0.94];
const low = [0.5, 0.6, 0.7, 0.8, 0.85];
const rate = { ...oracle, test: 'rate' };

describe('distribution', () => {
  it('is shown by values that are greater beyond chance', () => {
    expect(state(oracle, high, low)).toBe('shown');
    expect(state(oracle, [...high, 0.82], low)).toBe('shown');
    expect(state(rate, [1, 1, 1, 1, 1], [0, 0, 0, 0, 0])).toBe('shown');
    expect(state(rate, [true, true, true, true, true], [false, false, false, false, true])).toBe('shown');
  });

  it('cites the first three values of each arm, the greater one first', () => {
    const { grounding } = ask(oracle, evidence(high, low).exit(0).build());
    expect(grounding.map(({ text }) => /"acc":([\d.]+)/.exec(text)?.[1])).toEqual(['0.9', '0.91', '0.92', '0.5', '0.6', '0.7']);
  });

  it('is absent by values that are alike, or greater the other way round', () => {
    expect(state(oracle, high, high)).toBe('absent');
    expect(state(oracle, low, high)).toBe('absent');
    expect(state(rate, [1, 0, 1, 0, 1], [0, 1, 0, 1, 0])).toBe('absent');
  });

  it('is undecided with three against three, by texts, without an arm, and where it is close', () => {
    expect(state(oracle, high.slice(0, 3), low.slice(0, 3))).toBe('undecided');
    expect(state(oracle, high, [])).toBe('undecided');
    expect(state(rate, high, low)).toBe('undecided');
    expect(state(rate, [1, 1, 1, 1, 0.5], [0, 0, 0, 0, 0])).toBe('undecided');
    expect(state(oracle, [-1, 7, 8, 9, 10], [0, 1, 2, 3, 4])).toBe('undecided');
    expect(ask(oracle, createEvidence().obs({ acc: 1 }).obs({ acc: 0 }).exit(0).build()).state).toBe('undecided');
    const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };
    expect(ask(oracle, evidence(high, low).exit(null, cut).build()).state).toBe('undecided');
  });

  it('is undecided by more values than are compared', () => {
    const many = Array.from({ length: 60 }, (_, index) => index);
    expect(state(oracle, many, many)).toBe('undecided');
  });

  it('is a collision where a failure came first', () => {
    const failed = evidence(high, []).exception({ frames: [frame('subject', 'a.py', 'f')] });
    expect(ask(oracle, failed.exit(1).build()).state).toBe('collision');
  });

  it('never shows both arms to be the greater one', () => {
    const arm = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 9 });
    fc.assert(
      fc.property(arm, arm, (old, fresh) => {
        const turned = { ...oracle, greaterArm: 'new', lesserArm: 'old' };
        const shown = [state(oracle, old, fresh), state(turned, old, fresh)].filter((one) => one === 'shown');
        expect(shown.length).toBeLessThan(2);
      }),
      { numRuns: 50 },
    );
  });
});
