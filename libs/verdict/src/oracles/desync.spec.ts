import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oracle = { kind: 'desync', name: 'hash' };
type Values = Parameters<ReturnType<typeof createEvidence>['obs']>[0];
/** Lines of `[rank, value, step]`; a rank is a process of its own. */
const ranks = (...lines: [rank: number, hash: Values[string], step?: number][]) =>
  lines.reduce(
    (evidence, [rank, hash, step]) => evidence.obs({ hash, ...(step === undefined ? {} : { step }) }, { rank, pid: 20 + rank }),
    createEvidence(),
  );
const answer = (asked: object, ...lines: Parameters<typeof ranks>) =>
  ask(
    asked,
    ranks(...lines)
      .exit(0)
      .build(),
  );
const state = (asked: object, ...lines: Parameters<typeof ranks>) => answer(asked, ...lines).state;

describe('desync', () => {
  it('is shown by ranks that differ, and names the odd one', () => {
    const one = answer(oracle, [0, 'a', 1], [1, 'a', 1], [2, 'b', 1]);
    expect([one.state, one.note]).toEqual(['shown', 'at step 1 rank 2 differs from ranks 0, 1']);
    const two = answer(oracle, [0, 'a'], [1, 'b']);
    expect([two.state, two.note]).toEqual(['shown', 'at value 1 ranks 0, 1 do not agree']);
    expect(answer(oracle, [1, 'b'], [0, 'a']).note).toBe(two.note);
    const sequence = answer(oracle, [0, ['all_reduce', 'barrier']], [1, ['all_reduce', 'broadcast']]);
    expect([sequence.state, sequence.note]).toEqual(['shown', expect.stringContaining('position 1: "barrier" and "broadcast"')]);
    expect(state(oracle, [0, 1, 1], [1, 1, 1], [0, 2, 2], [1, 3, 2])).toBe('shown');
  });

  it('reads the rank from the line as well', () => {
    const records = createEvidence().obs({ hash: 'a', rank: 0 }).obs({ hash: 'b', rank: 1 }).exit(0).build();
    expect(ask(oracle, records).state).toBe('shown');
  });

  it('is absent by ranks that agree', () => {
    expect(state(oracle, [0, 'a'], [1, 'a'])).toBe('absent');
    expect(state(oracle, [0, 1, 1], [1, 1, 1], [1, 2, 2], [0, 2, 2])).toBe('absent');
    expect(state({ ...oracle, absolute: 1e-3 }, [0, [1, 2]], [1, [1.0005, 2]])).toBe('absent');
    expect(state(oracle, [0, 'nan'], [1, 'nan'])).toBe('absent');
  });

  it('is undecided where a rank, a step or a rank number is missing', () => {
    expect(state(oracle, [0, 'a'])).toBe('undecided');
    expect(state({ ...oracle, ranks: 3 }, [0, 'a'], [1, 'b'])).toBe('undecided');
    expect(state(oracle, [0, 'a', 1], [1, 'b', 2])).toBe('undecided');
    expect(state(oracle, [0, 'a'], [0, 'b'], [1, 'b'])).toBe('undecided');
    expect(state(oracle, [0, 'a', 1], [1, 'a', 1], [0, 'b', 2])).toBe('undecided');
    expect(state(oracle, [0, 1], [1, 'tensor(1)'])).toBe('undecided');
    expect(ask(oracle, createEvidence().obs({ hash: 'a' }).obs({ hash: 'b' }).exit(0).build()).state).toBe('undecided');
  });

  it('is shown by a whole step before the one that a rank lacks', () => {
    expect(state(oracle, [0, 'a', 1], [1, 'b', 1], [0, 'b', 2])).toBe('shown');
  });

  it('is a collision where a failure kept the values away', () => {
    const failed = createEvidence().exception({ frames: [frame('subject', 'a.py', 'f')] });
    expect(ask(oracle, failed.exit(1).build()).state).toBe('collision');
  });

  it('says the same in whatever order the ranks report', () => {
    const lines = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 5 }).chain((values) =>
      fc.tuple(
        fc.constant(values),
        fc.shuffledSubarray(
          values.map((value, rank): [number, number, number] => [rank, value, 1]),
          { minLength: values.length },
        ),
      ),
    );
    fc.assert(
      fc.property(lines, ([values, shuffled]) => {
        expect(state(oracle, ...shuffled)).toBe(new Set(values).size > 1 ? 'shown' : 'absent');
      }),
    );
  });
});
