import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mannWhitneyExact } from './mann-whitney.js';

const upTo = (last: number) => Array.from({ length: last }, (_unused, index) => index + 1);

/** Arms of 1 … 2n in which a is larger than b in exactly `u` ≤ n pairs: a has the n − 1 least and n + u. */
function armsWith(u: number, n: number): [number[], number[]] {
  const a = [...upTo(n - 1), n + u];
  return [a, upTo(2 * n).filter((value) => !a.includes(value))];
}

/** U by its definition, over pairs. */
function pairsWon(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, left) => sum + b.reduce((won, right) => won + (left > right ? 1 : left === right ? 0.5 : 0), 0), 0);
}

/** U of every division of the values into arms of these sizes, one by one. */
function allU(values: readonly number[], size: number): number[] {
  return Array.from({ length: 2 ** values.length }, (_unused, mask) => values.map((_value, index) => ((mask >> index) & 1) === 1))
    .filter((taken) => taken.filter(Boolean).length === size)
    .map((taken) =>
      pairsWon(
        values.filter((_value, index) => taken[index]),
        values.filter((_value, index) => !taken[index]),
      ),
    );
}

const arm = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 });

describe('mannWhitneyExact', () => {
  // P(U ≤ u) of Mann & Whitney 1947, table I, three digits.
  it.each([
    [3, 0, 0.05],
    [3, 1, 0.1],
    [3, 2, 0.2],
    [3, 3, 0.35],
    [4, 0, 0.014],
    [4, 2, 0.057],
    [4, 4, 0.171],
    [5, 0, 0.004],
    [5, 3, 0.028],
    [5, 4, 0.048],
    [5, 5, 0.075],
  ])('%i against %i values: U = %i has p = %f', (...[n, u, p]) => {
    const answer = mannWhitneyExact(...armsWith(u, n));
    expect(answer.u).toBe(u);
    expect(answer.pLess).toBeCloseTo(p, 3);
  });

  it('5 against 5 apart is one of 252 divisions, and 3 against 3 one of 20: never below 0.05', () => {
    expect(mannWhitneyExact([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]).pGreater).toBeCloseTo(1 / 252, 15);
    expect(mannWhitneyExact([4, 5, 6], [1, 2, 3])).toEqual({ u: 9, pGreater: 0.05, pLess: 1, pTwoSided: 0.1 });
  });

  // Mid-ranks 1, 2.5, 2.5, 4; sums of two: 3.5, 3.5, 5, 5, 6.5, 6.5; observed 1 + 2.5 = 3.5, so U = 3.5 − 3 = 0.5, P(≤) = 2/6.
  it('takes mid-ranks for ties', () => {
    const answer = mannWhitneyExact([1, 2], [2, 3]);
    expect(answer).toEqual({ u: 0.5, pGreater: 1, pLess: 2 / 6, pTwoSided: 4 / 6 });
  });

  it('of equal values it says nothing, and an infinite loss is the largest', () => {
    expect(mannWhitneyExact([2, 2, 2], [2, 2])).toEqual({ u: 3, pGreater: 1, pLess: 1, pTwoSided: 1 });
    expect(mannWhitneyExact([Infinity, 5, 6], [1, 2, 3]).pGreater).toBe(0.05);
  });

  // Cross-checked with scipy 1.x: mannwhitneyu by all permutations (with ties) and method 'exact' (without).
  it('equals another implementation on uneven arms', () => {
    const tied = mannWhitneyExact([3, 5, 5, 7, 9, 9, 12], [1, 2, 5, 5, 6, 7]);
    expect(tied.u).toBe(31.5);
    expect(tied.pGreater).toBeCloseTo(0.06993006993006994, 12);
    expect(tied.pLess).toBeCloseTo(0.9370629370629371, 12);
    const apart = mannWhitneyExact([1.1, 2.3, 3.8, 4.4, 9.1, 7.7, 12.5, 3.3], [0.5, 2.2, 4.1, 1.7, 0.9, 3]);
    expect(apart.pTwoSided).toBeCloseTo(0.042624042624042624, 12);
  });

  it('refuses an empty arm, NaN and too many values', () => {
    expect(() => mannWhitneyExact([], [1])).toThrow(RangeError);
    expect(() => mannWhitneyExact([1], [])).toThrow(RangeError);
    expect(() => mannWhitneyExact([1, Number.NaN], [1])).toThrow(RangeError);
    expect(() => mannWhitneyExact(upTo(70), upTo(31))).toThrow(RangeError);
  });

  it('equals the count of all divisions one by one, with ties', () => {
    fc.assert(
      fc.property(arm, arm, (a, b) => {
        const answer = mannWhitneyExact(a, b);
        const all = allU([...a, ...b], a.length);
        expect(answer.u).toBe(pairsWon(a, b));
        expect(answer.pGreater).toBeCloseTo(all.filter((u) => u >= answer.u).length / all.length, 12);
        expect(answer.pLess).toBeCloseTo(all.filter((u) => u <= answer.u).length / all.length, 12);
      }),
    );
  });

  it('mirrors when the arms change places, also at 20 against 20', () => {
    const many = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(many, many, (a, b) => {
        const [one, other] = [mannWhitneyExact(a, b), mannWhitneyExact(b, a)];
        expect(one.u + other.u).toBe(a.length * b.length);
        expect(other.pLess).toBeCloseTo(one.pGreater, 12);
        expect(other.pTwoSided).toBeCloseTo(one.pTwoSided, 12);
      }),
      { numRuns: 50 },
    );
  });
});
