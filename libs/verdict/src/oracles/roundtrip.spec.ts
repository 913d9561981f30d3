import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oracle = { kind: 'roundtrip', before: 'kept', after: 'loaded' };
type Values = Parameters<ReturnType<typeof createEvidence>['obs']>[0];
const observing = (...lines: Values[]) => lines.reduce((evidence, values) => evidence.obs(values), createEvidence());
const state = (asked: object, ...lines: Values[]) =>
  ask(
    asked,
    observing(...lines)
      .exit(0)
      .build(),
  ).state;
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };

describe('roundtrip', () => {
  it('is shown where the value is another one afterwards', () => {
    expect(state(oracle, { kept: 'a1b2c3' }, { loaded: 'a1b2c4' })).toBe('shown');
    expect(state(oracle, { kept: [1, 2, 3], loaded: [1, 2, 3.1] })).toBe('shown');
    expect(state(oracle, { kept: ['w', 'b'] }, { loaded: ['w'] })).toBe('shown');
    expect(state(oracle, { kept: 0.9 }, { loaded: 'nan' })).toBe('shown');
    expect(state(oracle, { kept: 0.9 }, { loaded: null })).toBe('shown');
    expect(state(oracle, { kept: 1, loaded: 1 }, { kept: 2, loaded: 3 })).toBe('shown');
  });

  it('is absent where it is the same', () => {
    expect(state(oracle, { kept: 'a1b2c3' }, { loaded: 'a1b2c3' })).toBe('absent');
    expect(state({ ...oracle, absolute: 0.01 }, { kept: [1, 2], loaded: [1.005, 2] })).toBe('absent');
    expect(state({ ...oracle, relative: 0.01 }, { kept: 100 }, { loaded: 100.5 })).toBe('absent');
    expect(state(oracle, { kept: { lr: 'nan' } }, { loaded: { lr: 'nan' } })).toBe('absent');
  });

  it('is a collision where loading fails', () => {
    const failed = createEvidence()
      .obs({ kept: 1 })
      .exception({ frames: [frame('subject', 'a.py', 'load')] });
    expect(ask(oracle, failed.exit(1).build()).state).toBe('collision');
  });

  it('is undecided without a partner, by unlike forms, over ranks, and where the value differs by itself', () => {
    expect(state(oracle, { kept: 1 })).toBe('undecided');
    expect(state(oracle, { kept: 1 }, { kept: 2 }, { loaded: 2 })).toBe('undecided');
    expect(state(oracle, { kept: 3 }, { loaded: 'tensor(3.)' })).toBe('undecided');
    expect(state(oracle, { kept: 1, rank: 0 }, { loaded: 2, rank: 1 })).toBe('undecided');
    expect(state({ ...oracle, beforeAgain: 'again' }, { kept: 1, again: 2 }, { loaded: 3 })).toBe('undecided');
    expect(state({ ...oracle, beforeAgain: 'again' }, { kept: 1, again: 1 }, { loaded: 3 })).toBe('shown');
    expect(ask(oracle, observing({ kept: 1, loaded: 1 }).exit(null, cut).build()).state).toBe('undecided');
  });

  it('does not take another order of the values for a change', () => {
    const kept = [
      { kept: 1, of: 'w' },
      { kept: 2, of: 'b' },
    ];
    expect(state(oracle, ...kept, { loaded: 2, of: 'b' }, { loaded: 1, of: 'w' })).toBe('undecided');
    expect(state(oracle, ...kept, { loaded: 1, of: 'w' }, { loaded: 3, of: 'b' })).toBe('shown');
    // A single value before and after needs no telling apart.
    expect(state(oracle, { kept: 1, of: 'w' }, { loaded: 2, of: 'b' })).toBe('shown');
  });

  it('compares two steps of one launch', () => {
    const saved = createEvidence().obs({ kept: 1 }, { step: 0 }).exit(0);
    expect(ask(oracle, saved.obs({ loaded: 2 }, { step: 1, pid: 11 }).exit(0, { step: 1, pid: 11 }).build()).state).toBe('shown');
  });

  it('never shows a value that is handed through', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(state(oracle, { kept: [value] }, { loaded: [value] })).toBe('absent');
      }),
    );
  });
});
