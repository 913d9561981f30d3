import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededDraws } from '@reenact/domain';
import { theilSen, type Point } from './theil-sen.js';

const pointsOf = (xs: readonly number[], ys: readonly number[]): Point[] => xs.map((x, index) => ({ x, y: Number(ys[index]) }));
const steps = (ys: readonly number[]): Point[] => ys.map((y, x) => ({ x, y }));
const series = fc.array(fc.record({ x: fc.integer({ min: 0, max: 30 }), y: fc.integer({ min: -50, max: 50 }) }), {
  minLength: 5,
  maxLength: 25,
});

describe('theilSen', () => {
  // The example of Sen 1968, section 6: slope 4 and, at 93 %, 26/7 to 35/8. The medians of y − 4x: 4, 5, 5, 6, 7, 7, 7.
  it("equals Sen's example", () => {
    const trend = theilSen(pointsOf([1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78]), 0.93);
    expect(trend).toEqual({ slope: 4, intercept: 6, low: 26 / 7, high: 35 / 8, pairs: 21 });
  });

  // Cross-checked with scipy's theilslopes (joint intercept).
  it('equals another implementation where x are tied', () => {
    const points = pointsOf([1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 8], [2, 5, 3, 8, 6, 4, 9, 7, 14, 11, 12, 10]);
    expect(theilSen(points)).toMatchObject({ slope: 1.25, intercept: 2.75, low: 1, high: 7 / 3, pairs: 66 - 1 - 3 - 1 });
    expect(theilSen(points, 0.9)).toMatchObject({ low: 1, high: 2 });
  });

  // Slopes of (0, 0), (1, 1), (2, 5): 1, 2.5 and 4. Three points in order come by chance in 2 of 6 orders: no interval at 95 %.
  it('gives no limit that the points do not hold', () => {
    expect(theilSen(steps([0, 1, 5]))).toMatchObject({ slope: 2.5, low: -Infinity, high: Infinity, pairs: 3 });
    expect(theilSen(steps([0, 1, 5, 6]))).toMatchObject({ low: -Infinity, high: Infinity });
    expect(theilSen(steps([3, 3, 3]))).toMatchObject({ slope: 0, low: -Infinity, high: Infinity });
    // In order by chance in 2 of 120 orders: least and greatest slope hold 98 %. The slopes are 1 (0 to 1) up to 4 (1 to 5).
    expect(theilSen(steps([0, 1, 5, 6, 7]))).toMatchObject({ low: 1, high: 4 });
  });

  it('of equal values the slope is exactly 0, and one outlier moves nothing', () => {
    expect(theilSen(steps([3, 3, 3, 3, 3, 3]))).toEqual({ slope: 0, intercept: 3, low: 0, high: 0, pairs: 15 });
    expect(theilSen(steps([0, 1, 2, 3, 4, 5, 6, 7, 8, 1_000]))?.slope).toBe(1);
  });

  it('needs three different x, and refuses what is not finite', () => {
    expect(theilSen([])).toBeNull();
    expect(theilSen(pointsOf([1, 1, 2, 2], [1, 2, 3, 4]))).toBeNull();
    expect(() => theilSen(steps([1, Number.NaN, 3]))).toThrow(RangeError);
    expect(() => theilSen(steps([1, 2, 3]), 1)).toThrow(RangeError);
  });

  it('of 5,000 points takes 400, in bounded time, the first and the last among them', () => {
    const draw = seededDraws(1);
    const ys = Array.from({ length: 5_000 }, (_unused, x) => 0.01 * x + draw());
    const trend = theilSen(steps(ys));
    expect(trend?.pairs).toBe((400 * 399) / 2);
    expect(trend?.slope).toBeCloseTo(0.01, 4);
    // Only the two ends leave the line of the other x: they are pairs of their own only if they were taken.
    const ends = [{ x: -1, y: 0 }, ...Array.from({ length: 5_000 }, () => ({ x: 0, y: 0 })), { x: 1, y: 0 }];
    expect(theilSen(ends)?.pairs).toBe(398 + 398 + 1);
  });

  it('covers the slope of a noisy line in about 95 % of the series', () => {
    const draw = seededDraws(7);
    let covered = 0;
    for (let run = 0; run < 500; run += 1) {
      const trend = theilSen(steps(Array.from({ length: 12 }, (_unused, x) => 2 * x + 10 * draw())));
      if (trend && trend.low <= 2 && trend.high >= 2) covered += 1;
    }
    // Standard error √(0.95 · 0.05 / 500) = 1 %.
    expect(covered / 500).toBeGreaterThan(0.92);
    expect(covered / 500).toBeLessThan(0.99);
  });

  it('holds the slope in the interval, follows an added line, and does not look at the order', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: -5, max: 5 }), (points, added) => {
        const trend = theilSen(points);
        fc.pre(trend !== null);
        expect(trend.low).toBeLessThanOrEqual(trend.slope);
        expect(trend.high).toBeGreaterThanOrEqual(trend.slope);
        expect(theilSen([...points].reverse())).toEqual(trend);
        const tilted = theilSen(points.map(({ x, y }) => ({ x, y: y + added * x })));
        expect(tilted?.slope).toBeCloseTo(trend.slope + added, 9);
      }),
    );
  });
});
