import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalDraw, seededDraws } from './seeded-draws.js';

describe('seededDraws', () => {
  it('draws the numbers that mulberry32 is known by', () => {
    const draw = seededDraws(1);
    expect([draw(), draw(), draw()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  });

  it('gives equal draws in [0, 1) for equal seeds', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const [one, other] = [seededDraws(seed), seededDraws(seed)];
        for (let step = 0; step < 20; step += 1) {
          const drawn = one();
          expect(other()).toBe(drawn);
          expect(drawn).toBeGreaterThanOrEqual(0);
          expect(drawn).toBeLessThan(1);
        }
      }),
    );
  });

  // The mean of 10,000 uniform draws has the standard error √(1/12/10,000) = 0.0029; a tenth of them falls in each tenth ± 0.003.
  it('is uniform', () => {
    const draw = seededDraws(1);
    const draws = Array.from({ length: 10_000 }, draw);
    expect(Math.abs(draws.reduce((sum, value) => sum + value, 0) / 10_000 - 0.5)).toBeLessThan(4 * 0.0029);
    for (let tenth = 0; tenth < 10; tenth += 1)
      expect(Math.abs(draws.filter((value) => Math.floor(value * 10) === tenth).length / 10_000 - 0.1)).toBeLessThan(4 * 0.003);
  });
});

// Of 10,000 standard normal draws the mean has the standard error 0.01, the variance √(2/10,000) = 0.014.
describe('normalDraw', () => {
  it('has mean 0 and variance 1, also from a draw of 0', () => {
    const draw = seededDraws(2);
    const draws = Array.from({ length: 10_000 }, () => normalDraw(draw));
    expect(Math.abs(draws.reduce((sum, value) => sum + value, 0) / 10_000)).toBeLessThan(0.04);
    expect(Math.abs(draws.reduce((sum, value) => sum + value * value, 0) / 10_000 - 1)).toBeLessThan(0.057);
    expect(normalDraw(() => 0)).toBeCloseTo(0);
  });
});
