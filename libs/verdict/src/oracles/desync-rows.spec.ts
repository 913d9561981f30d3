import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence } from '../testing/index.js';

type Extra = Parameters<ReturnType<typeof createEvidence>['rows']>[2];
type Pass = [rank: number, first: number[], extra?: Extra];

const same = { kind: 'desync', of: 'rows', rows: 'same' };
const disjoint = { ...same, rows: 'disjoint' };
const passes = (...made: Pass[]) => made.reduce((evidence, pass) => evidence.rows(...pass), createEvidence());
const answer = (oracle: object, ...made: Pass[]) =>
  ask(
    oracle,
    passes(...made)
      .exit(0)
      .build(),
  );
const stateOf = (oracle: object, ...made: Pass[]) => answer(oracle, ...made).state;

describe('desync of rows', () => {
  it('is shown by ranks that must read the same rows and part', () => {
    const parted = answer(same, [0, [3, 1, 2]], [1, [3, 2, 1]]);
    expect([parted.state, parted.note]).toEqual(['shown', 'in pass 1 of loader 0 ranks 0 and 1 part at row 2 of their order']);
    const later = answer(same, [0, [1], { count: 2000, sha256: 'a' }], [1, [1], { count: 2000, sha256: 'b' }]);
    expect(later.note).toMatch(/part after the first 1 rows$/);
  });

  it('is shown by ranks that must share the rows out and read the same', () => {
    const twice = answer(disjoint, [0, [0, 1, 2, 3]], [1, [0, 1, 2, 3]]);
    expect([twice.state, twice.note]).toEqual(['shown', 'in pass 1 of loader 0 ranks 0, 1 read 4 of 4 rows more than once, first 0, 1, 2']);
    expect(stateOf(disjoint, [0, [0, 2]], [1, [1, 3]], [0, [0, 2], { epoch: 1 }], [1, [0, 2], { epoch: 1 }])).toBe('shown');
  });

  it('is absent where the orders are as they have to be, the filling of the last round included', () => {
    expect(stateOf(same, [0, [3, 1]], [1, [3, 1]])).toBe('absent');
    expect(stateOf(same, [0, [3, 1, 2], { sha256: 'a' }], [1, [3, 1], { sha256: 'b' }])).toBe('absent');
    expect(stateOf(disjoint, [0, [0, 2, 4]], [1, [1, 3, 0]])).toBe('absent');
    expect(stateOf(disjoint, [0, [0]], [0, [0, 2], { count: 2 }], [1, [1, 3]])).toBe('absent');
  });

  it('is undecided where ranks are missing, rows are not all recorded, or nothing says what has to be', () => {
    expect(stateOf(same)).toBe('undecided');
    expect(stateOf(same, [0, [1]])).toBe('undecided');
    expect(stateOf({ ...same, ranks: 3 }, [0, [1]], [1, [2]])).toBe('undecided');
    expect(stateOf({ kind: 'desync', of: 'rows' }, [0, [1]], [1, [2]])).toBe('undecided');
    expect(stateOf(disjoint, [0, [0, 2], { count: 4000 }], [1, [1, 3]])).toBe('undecided');
    expect(stateOf(same, [0, [1]], [1, [1]], [0, [2], { epoch: 1 }])).toBe('undecided');
    expect(stateOf(same, [0, [1]], [1, [1]], [1, [2], { pid: 40 }])).toBe('undecided');
    const cut = passes([0, [1]], [1, [1]])
      .exit(null, { endedBy: 'wall-limit' })
      .build();
    expect(ask(same, cut).state).toBe('undecided');
  });

  it('never takes a permutation that is shared out for one that is read twice', () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: 12 }, (_, row) => row),
      { minLength: 12 },
    );
    fc.assert(
      fc.property(order, fc.integer({ min: 2, max: 4 }), (rows, ranks) => {
        const made = Array.from({ length: ranks }, (_, rank): Pass => [rank, rows.filter((_row, at) => at % ranks === rank)]);
        expect(stateOf(disjoint, ...made)).toBe('absent');
        expect(stateOf(disjoint, ...made.map(([rank]): Pass => [rank, rows]))).toBe('shown');
      }),
    );
  });
});
