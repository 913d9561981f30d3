import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialAtMost, binomialBound } from './binomial.js';
import { missProbability, runsNeeded } from './misses.js';

describe('runsNeeded', () => {
  // verdict.md section 6.
  it.each([
    [1, 1],
    [0.5, 5],
    [0.3, 9],
    [0.15, 19],
    [0.1, 29],
    [0.05, 59],
  ])('a rate of %f asks for %i runs', (rate, runs) => {
    expect(runsNeeded(rate)).toBe(runs);
  });

  it('is the least number that keeps the miss at 5 %', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.94, noNaN: true }), (rate) => {
        const runs = runsNeeded(rate);
        expect(missProbability(rate, runs)).toBeLessThanOrEqual(0.05 + 1e-9);
        expect(missProbability(rate, runs - 1)).toBeGreaterThan(0.05 - 1e-9);
      }),
    );
  });

  it('refuses what is no rate', () => {
    expect(() => runsNeeded(0)).toThrow(RangeError);
    expect(() => runsNeeded(Number.NaN)).toThrow(RangeError);
  });
});

describe('binomial', () => {
  it('sums to 1 and equals hand-computed tails', () => {
    expect(binomialAtMost(0, 10, 0.5)).toBeCloseTo(1 / 1024, 12);
    expect(binomialAtMost(5, 10, 0.5)).toBeCloseTo(638 / 1024, 12);
    expect(binomialAtMost(10, 10, 0.3)).toBe(1);
    expect(binomialAtMost(-1, 10, 0.3)).toBe(0);
  });

  it('bounds what 1 % may show in 200 trials', () => {
    expect(binomialBound(200, 0.01, 0.01)).toBe(6);
  });
});
