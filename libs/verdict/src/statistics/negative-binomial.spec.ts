import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearson } from './intervals.js';
import { negativeBinomialInterval } from './negative-binomial.js';

/** Share of series, run until the r-th success at a rate of p, whose interval holds p. Long series count as not covered. */
function coverage(r: number, p: number): number {
  let chance = p ** r;
  let covered = 0;
  for (let total = r; total < 400; total += 1) {
    const { low, high } = negativeBinomialInterval(r, total);
    if (low <= p && p <= high) covered += chance;
    chance *= ((1 - p) * total) / (total - r + 1);
  }
  return covered;
}

describe('negativeBinomialInterval', () => {
  // The first success at trial n: P(N ≤ n) = 1 − (1 − p)^n and P(N ≥ n) = (1 − p)^(n − 1), both set to 0.025.
  it.each([2, 5, 10, 40])('of the first success at trial %i is closed by hand', (n) => {
    const { low, high } = negativeBinomialInterval(1, n);
    expect(low).toBeCloseTo(1 - 0.975 ** (1 / n), 9);
    expect(high).toBeCloseTo(1 - 0.025 ** (1 / (n - 1)), 9);
  });

  // P(N ≤ 3) = p³ = 0.025 gives 0.2924; the second success at trial 3: P(N ≥ 3) = 1 − p² = 0.025 gives √0.975 = 0.9874.
  it('equals values closed by hand', () => {
    expect(negativeBinomialInterval(3, 3).low).toBeCloseTo(0.2924, 4);
    expect(negativeBinomialInterval(3, 3).high).toBe(1);
    expect(negativeBinomialInterval(1, 1)).toEqual({ low: clopperPearson(1, 1).low, high: 1 });
    expect(negativeBinomialInterval(2, 3).high).toBeCloseTo(0.9874, 4);
  });

  // Cross-checked with the roots of scipy's nbinom.cdf and nbinom.sf.
  it.each([
    [3, 10, 0.06673951117773445, 0.6000935737163121],
    [5, 20, 0.08657146910143455, 0.455653081891506],
  ])('equals another implementation for success %i at trial %i', (...[shown, total, low, high]) => {
    expect(negativeBinomialInterval(shown, total).low).toBeCloseTo(low, 9);
    expect(negativeBinomialInterval(shown, total).high).toBeCloseTo(high, 9);
  });

  it('refuses a series that no success ended', () => {
    expect(() => negativeBinomialInterval(0, 3)).toThrow(RangeError);
    expect(() => negativeBinomialInterval(4, 3)).toThrow(RangeError);
    expect(() => negativeBinomialInterval(0.5, 3)).toThrow(RangeError);
  });

  it('covers the rate in at least 95 % of the series that stop at a success', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.double({ min: 0.1, max: 0.99, noNaN: true }), (r, p) => {
        expect(coverage(r, p)).toBeGreaterThanOrEqual(0.95 - 1e-9);
      }),
      { numRuns: 20 },
    );
  });

  it('lies within Clopper–Pearson of the same counts and holds the share without the last trial', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(60), (total, raw) => {
        const shown = 1 + (raw % total);
        const { low, high } = negativeBinomialInterval(shown, total);
        const fixed = clopperPearson(shown, total);
        expect(low).toBe(fixed.low);
        expect(high).toBeLessThanOrEqual(fixed.high + 1e-12);
        expect(high).toBeGreaterThanOrEqual((shown - 1) / (total - 1));
      }),
    );
  });
});
