import { isUnbound } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { AnswerOracle, toOracle } from './answer-schemas.js';

const where = null;
const answers: [object, object][] = [
  [{ kind: 'oom', atLeastBytes: null }, {}],
  [{ kind: 'memory_peak', obs: null, op: '>', bytes: 5 }, { bytes: 5 }],
  [
    { kind: 'trend', of: 'value', name: 'loss', direction: 'does-not-fall', memory: false, where: [{ name: 'rank', value: '0' }] },
    { where: { rank: 0 }, warmUpShare: 0.1 },
  ],
  [{ kind: 'nondeterminism', name: 'loss', seedName: null, repeatName: 'run', where }, { repeatName: 'run' }],
  [
    {
      kind: 'slow',
      name: 's',
      armField: null,
      where,
      slowArm: 'new',
      fastArm: 'old',
      sameArm: null,
      sizeField: null,
      atLeastRatio: null,
    },
    { armField: 'arm', atLeastRatio: 1.14 },
  ],
  [{ kind: 'distribution', name: 'acc', armField: null, where, greaterArm: 'a', lesserArm: 'b', test: 'rate' }, { test: 'rate' }],
  [
    { kind: 'differential', candidate: 'a', reference: 'b', referee: 'c', referenceAgain: null, lowPrecision: true },
    { lowPrecision: true, tolerance: 1e-4 },
  ],
  [
    { kind: 'roundtrip', before: 'a', after: 'b', beforeAgain: null, absolute: 0.1, where },
    { absolute: 0.1, relative: 0 },
  ],
  [{ kind: 'desync', name: 'hash', ranks: 2, where }, { ranks: 2 }],
];

describe('answers about sizes, series and comparisons', () => {
  it.each(answers)('become bound oracles: %j', (answer, expected) => {
    const oracle = toOracle(AnswerOracle.parse(answer));
    expect(oracle).toMatchObject({ kind: (answer as { kind: string }).kind, ...expected });
    expect(oracle !== null && isUnbound(oracle)).toBe(false);
  });

  it('are refused where a bound makes no sense', () => {
    expect(toOracle(AnswerOracle.parse({ kind: 'memory_peak', obs: null, op: '>', bytes: 0 }))).toBeNull();
    expect(AnswerOracle.safeParse({ kind: 'build' }).success).toBe(false);
  });
});
