import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oracle = { kind: 'nondeterminism', name: 'loss' };
const observing = (...lines: Record<string, number | string | unknown[]>[]) =>
  lines.reduce((evidence, values) => evidence.obs(values), createEvidence());
const state = (asked: object, ...lines: Parameters<typeof observing>) =>
  ask(
    asked,
    observing(...lines)
      .exit(0)
      .build(),
  ).state;
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };

describe('nondeterminism', () => {
  it('is shown by results that differ under one seed', () => {
    expect(state(oracle, { loss: 0.5 }, { loss: 0.5 }, { loss: 0.6 })).toBe('shown');
    expect(state({ ...oracle, seedName: 'start' }, { loss: 0.5, start: 3 }, { loss: 0.6, start: 3 })).toBe('shown');
    expect(state(oracle, { loss: [1, 2] }, { loss: [2, 1] })).toBe('shown');
    expect(
      state({ ...oracle, repeatName: 'run' }, { loss: 1, run: 1 }, { loss: 2, run: 1 }, { loss: 1, run: 2 }, { loss: 3, run: 2 }),
    ).toBe('shown');
    expect(ask(oracle, observing({ loss: 0.5 }, { loss: 0.6 }).exit(null, cut).build()).state).toBe('shown');
  });

  it('is absent by equal results, nan among them, or within the tolerance', () => {
    expect(state(oracle, { loss: 0.5 }, { loss: 0.5 })).toBe('absent');
    expect(state(oracle, { loss: [1, 'nan'] }, { loss: [1, 'nan'] })).toBe('absent');
    expect(state({ ...oracle, absolute: 0.2 }, { loss: 0.5 }, { loss: 0.6 })).toBe('absent');
    expect(
      state({ ...oracle, repeatName: 'run' }, { loss: 1, run: 1 }, { loss: 2, run: 1 }, { loss: 1, run: 2 }, { loss: 2, run: 2 }),
    ).toBe('absent');
  });

  it('takes the steps of one run for no repeats', () => {
    expect(state(oracle, { loss: 3, step: 1 }, { loss: 2, step: 2 }, { loss: 1, step: 3 })).toBe('undecided');
    expect(state(oracle, { loss: 3, step: 1 }, { loss: 2, step: 2 }, { loss: 3, step: 1 }, { loss: 2, step: 2 })).toBe('absent');
    expect(state(oracle, { loss: 3, step: 1 }, { loss: 2, step: 2 }, { loss: 3, step: 1 }, { loss: 9, step: 2 })).toBe('shown');
  });

  it('is undecided with one repeat, with other or missing seeds, over ranks, and by unlike forms', () => {
    expect(state(oracle, { loss: 0.5 })).toBe('undecided');
    expect(state(oracle, { loss: 0.5, seed: 1 }, { loss: 0.6, seed: 2 })).toBe('undecided');
    expect(state(oracle, { loss: 0.5, seed: 1 }, { loss: 0.6 })).toBe('undecided');
    expect(state({ ...oracle, seedName: 'start' }, { loss: 0.5 }, { loss: 0.6 })).toBe('undecided');
    expect(state(oracle, { loss: 0.5, rank: 0 }, { loss: 0.6, rank: 1 })).toBe('undecided');
    expect(state(oracle, { loss: 0.5 }, { loss: 'tensor(0.5)' })).toBe('undecided');
    expect(state({ ...oracle, repeatName: 'run' }, { loss: 0.5 }, { loss: 0.6 })).toBe('undecided');
    expect(ask(oracle, observing({ loss: 0.5 }, { loss: 0.5 }).exit(null, cut).build()).state).toBe('undecided');
  });

  it('is a collision where a failure kept the result away', () => {
    const failed = createEvidence().exception({ frames: [frame('subject', 'a.py', 'f')] });
    expect(ask(oracle, failed.exit(1).build()).state).toBe('collision');
  });

  it('is shown by exactly those repeats that hold more than one value', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 8 }), (values) => {
        const expected = new Set(values).size > 1 ? 'shown' : 'absent';
        expect(state(oracle, ...values.map((loss) => ({ loss })))).toBe(expected);
        expect(state(oracle, ...values.map((loss, index) => ({ loss, seed: index })))).toBe('undecided');
      }),
    );
  });
});
