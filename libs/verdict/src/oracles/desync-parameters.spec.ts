import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence } from '../testing/index.js';

const oracle = { kind: 'desync', of: 'parameters' };
type State = [
  rank: number,
  update: number,
  hashes: Record<string, string>,
  extra?: Parameters<ReturnType<typeof createEvidence>['parameters']>[3],
];

const states = (...made: State[]) => made.reduce((evidence, state) => evidence.parameters(...state), createEvidence());
const answer = (...made: State[]) =>
  ask(
    oracle,
    states(...made)
      .exit(0)
      .build(),
  );

describe('desync of parameters', () => {
  it('is shown by ranks whose parameters differ after the same update, and names the first one', () => {
    const two = answer([0, 1, { 'fc.weight': 'a', 'fc.bias': 'b' }], [1, 1, { 'fc.weight': 'a', 'fc.bias': 'c' }]);
    expect([two.state, two.note]).toEqual([
      'shown',
      'after update 1 of optimiser 0 (SGD) ranks 0, 1 do not agree, first in fc.bias, in 1 of 2 parameters',
    ]);
    expect(two.grounding.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(answer([1, 1, { w: 'b' }], [0, 1, { w: 'a' }]).note).toBe(answer([0, 1, { w: 'a' }], [1, 1, { w: 'b' }]).note);
    const three = answer(
      [0, 1, { w: 'a' }],
      [1, 1, { w: 'a' }],
      [2, 1, { w: 'a' }],
      [2, 2, { w: 'x' }],
      [0, 2, { w: 'b' }],
      [1, 2, { w: 'b' }],
    );
    expect(three.note).toMatch(/^after update 2 .* rank 2 differs from ranks 0, 1, first in w/);
  });

  it('is absent by ranks that agree after every update', () => {
    expect(answer([0, 1, { w: 'a' }], [1, 1, { w: 'a' }], [1, 2, { w: 'b' }], [0, 2, { w: 'b' }]).state).toBe('absent');
  });

  it('tells optimisers and steps of the launch apart', () => {
    expect(
      answer([0, 1, { w: 'a' }], [1, 1, { w: 'a' }], [0, 1, { w: 'b' }, { optimizer: 1 }], [1, 1, { w: 'b' }, { optimizer: 1 }]).state,
    ).toBe('absent');
    expect(answer([0, 1, { w: 'a' }], [1, 1, { w: 'a' }], [0, 1, { w: 'b' }, { step: 1 }], [1, 1, { w: 'c' }, { step: 1 }]).state).toBe(
      'shown',
    );
  });

  it('is undecided where ranks are missing, hold shards, cannot be read or ran twice', () => {
    expect(answer().state).toBe('undecided');
    expect(answer([0, 1, { w: 'a' }]).state).toBe('undecided');
    expect(
      ask(
        { ...oracle, ranks: 3 },
        states([0, 1, { w: 'a' }], [1, 1, { w: 'b' }])
          .exit(0)
          .build(),
      ).state,
    ).toBe('undecided');
    expect(answer([0, 1, { w: 'a' }], [1, 1, { v: 'b' }]).state).toBe('undecided');
    expect(answer([0, 1, { w: 'a' }], [1, 1, { w: 'b' }, { class: 'Adam' }]).state).toBe('undecided');
    expect(answer([0, 1, { w: '' }], [1, 1, { w: '' }]).state).toBe('undecided');
    expect(answer([0, 1, { w: 'a' }], [1, 1, { w: 'a' }], [1, 1, { w: 'b' }, { pid: 40 }]).state).toBe('undecided');
    expect(answer([0, 1, { w: 'a' }], [1, 1, { w: 'a' }], [0, 2, { w: 'b' }]).state).toBe('undecided');
    const cut = states([0, 1, { w: 'a' }], [1, 1, { w: 'a' }])
      .exit(null, { endedBy: 'wall-limit' })
      .build();
    expect(ask(oracle, cut).state).toBe('undecided');
  });

  it('is a collision where another failure came first', () => {
    expect(ask(oracle, createEvidence().exception({ message: 'bad' }).exit(1).build()).state).toBe('collision');
  });

  it('finds one changed parameter wherever it stands', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(11), (count, at) => {
        const hashes = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, `h${index}`]));
        const changed = { ...hashes, [`p${at % count}`]: 'other' };
        expect(answer([0, 1, hashes], [1, 1, hashes]).state).toBe('absent');
        expect(answer([0, 1, hashes], [1, 1, changed]).note).toContain(`first in p${at % count}, in 1 of ${count}`);
      }),
    );
  });
});
