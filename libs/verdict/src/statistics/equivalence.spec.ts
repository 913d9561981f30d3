import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededDraws } from '@reenact/domain';
import { doesNotFall } from './equivalence.js';

const line = (length: number, yAt: (x: number) => number) => Array.from({ length }, (_unused, x) => ({ x, y: yAt(x) }));

describe('doesNotFall', () => {
  // A straight line has one slope, so the interval is that slope: from 100 it falls by 9, 10 and 11 over the nine steps.
  it.each([
    [1, true],
    [10 / 9, null],
    [11 / 9, false],
  ])('a line from 100 with a fall of %f a step over nine steps: %s', (fall, answer) => {
    const fallOf = (x: number) => (fall === 10 / 9 ? (10 * x) / 9 : fall * x);
    const points = line(10, (x) => 100 - fallOf(x));
    // Rounding decides on the very bound, so that one is asked with room on both sides.
    if (answer !== null) expect(doesNotFall(points)).toBe(answer);
    else expect([doesNotFall(points, { boundShare: 0.101 }), doesNotFall(points, { boundShare: 0.099 })]).toEqual([true, false]);
  });

  it('a loss that stays at its start does not fall, one that halves does, and noise leaves it open', () => {
    const draw = seededDraws(3);
    expect(doesNotFall(line(50, () => 2.3 + 0.05 * draw()))).toBe(true);
    expect(doesNotFall(line(50, (x) => 2.3 - 0.023 * x + 0.05 * draw()))).toBe(false);
    expect(doesNotFall(line(8, () => 2.3 + draw()))).toBeNull();
  });

  it('decides nothing from too few points, but anything that certainly rises does not fall', () => {
    expect(doesNotFall(line(2, () => 1))).toBeNull();
    expect(doesNotFall(line(4, () => 1))).toBeNull();
    expect(doesNotFall(line(5, (x) => x))).toBe(true);
  });

  it('takes the size of a start below zero, and refuses what is no share', () => {
    expect(doesNotFall(line(10, (x) => -100 - x))).toBe(true);
    expect(doesNotFall(line(10, (x) => -100 - 2 * x))).toBe(false);
    expect(() =>
      doesNotFall(
        line(5, () => 1),
        { boundShare: -0.1 },
      ),
    ).toThrow(RangeError);
    expect(() =>
      doesNotFall(
        line(5, () => 1),
        { boundShare: Number.NaN },
      ),
    ).toThrow(RangeError);
  });

  // On the bound itself a series is called flat in at most (1 − 0.95)/2 = 2.5 % of the cases; 400 of them show at most 18 with 99 %.
  it('rarely calls a fall of the bound none', () => {
    const draw = seededDraws(5);
    let wrong = 0;
    for (let run = 0; run < 400; run += 1) if (doesNotFall(line(20, (x) => 100 - (10 * x) / 19 + 4 * (draw() - 0.5)))) wrong += 1;
    expect(wrong).toBeLessThanOrEqual(18);
  });

  it('does not depend on the unit of either axis', () => {
    const values = fc.array(fc.integer({ min: 50, max: 100 }), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.25, 2, 1_024), (ys, unit) => {
        const points = line(ys.length, (x) => Number(ys[x]));
        const scaled = points.map(({ x, y }) => ({ x: x * unit, y: y * unit }));
        expect(doesNotFall(scaled)).toBe(doesNotFall(points));
      }),
    );
  });

  it('with a wider bound never turns from true', () => {
    const values = fc.array(fc.integer({ min: 50, max: 100 }), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 0.5, noNaN: true }), (ys, boundShare) => {
        const points = line(ys.length, (x) => Number(ys[x]));
        if (doesNotFall(points, { boundShare })) expect(doesNotFall(points, { boundShare: boundShare + 0.1 })).toBe(true);
      }),
    );
  });
});
