import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { angularSimilarity, combineScore, inverseDocumentFrequency, lengthNorm, termScore } from './formula.js';

describe('the formula', () => {
  it('gives the values that are reckoned by hand', () => {
    expect(inverseDocumentFrequency(10, 2)).toBeCloseTo(Math.log(1 + 8.5 / 2.5), 12);
    expect(lengthNorm(20, 10)).toBeCloseTo(1.5 * (0.25 + 1.5), 12);
    expect(termScore(2, 1.5, 3, 2)).toBeCloseTo((2 * 1.5 * 2.5 * 3) / 5, 12);
    // method.md section 1.5, "bounded angular".
    expect([1, 0.9, 0.5, 0].map((cosine) => Number(angularSimilarity(cosine).toFixed(3)))).toEqual([1, 0.856, 0.667, 0.5]);
    expect(combineScore({ lexical: 6, maximum: 12, similarity: 0.8 })).toBeCloseTo(0.45 * 0.5 + 0.55 * 0.8, 12);
    expect(combineScore({ lexical: 6, maximum: 12, similarity: null })).toBe(0.5);
    expect(combineScore({ lexical: 0, maximum: 0, similarity: null })).toBe(0);
  });

  it('stays between 0 and 1 and grows with both sides', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, (lexical, more, cosine, alpha) => {
        const similarity = angularSimilarity(2 * cosine - 1);
        const score = combineScore({ lexical, maximum: 1, similarity }, alpha);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-12);
        expect(combineScore({ lexical: Math.max(lexical, more), maximum: 1, similarity }, alpha)).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  it('takes a cosine that rounding carried out of its range', () => {
    expect(angularSimilarity(1 + 1e-9)).toBe(1);
    expect(angularSimilarity(-1 - 1e-9)).toBe(0);
  });
});
