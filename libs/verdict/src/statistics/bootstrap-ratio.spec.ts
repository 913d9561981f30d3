import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededDraws } from '@reenact/domain';
import { bootstrapRatio, pairedRatio } from './bootstrap-ratio.js';

const times = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 5, maxLength: 15 });
const QUICK = { resamples: 200 };

describe('bootstrapRatio', () => {
  it('of values without noise is exact', () => {
    expect(bootstrapRatio([6, 6, 6, 6, 6], [3, 3, 3, 3, 3])).toEqual({ ratio: 2, low: 2, high: 2 });
  });

  it('of few values knows no limits, and refuses what is no measured size', () => {
    expect(bootstrapRatio([6, 8], [3])).toEqual({ ratio: 7 / 3, low: 0, high: Infinity });
    expect(() => bootstrapRatio([], [1])).toThrow(RangeError);
    expect(() => bootstrapRatio([1], [0])).toThrow(RangeError);
    expect(() => bootstrapRatio([1], [Infinity])).toThrow(RangeError);
    expect(() => bootstrapRatio([1], [1], { confidence: 1 })).toThrow(RangeError);
    expect(() => bootstrapRatio([1], [1], { resamples: 0 })).toThrow(RangeError);
  });

  it('covers the true ratio of medians in most series of ten', () => {
    const draw = seededDraws(11);
    const sample = (scale: number) => Array.from({ length: 10 }, () => scale * (1 + draw()));
    let covered = 0;
    for (let run = 0; run < 300; run += 1) {
      const { low, high } = bootstrapRatio(sample(3), sample(2), { ...QUICK, seed: run });
      if (low <= 1.5 && high >= 1.5) covered += 1;
    }
    expect(covered / 300).toBeGreaterThanOrEqual(0.93);
  });

  it('is equal for equal values in any order, holds its ratio, and follows the unit', () => {
    fc.assert(
      fc.property(times, times, fc.integer(), (a, b, seed) => {
        const answer = bootstrapRatio(a, b, { ...QUICK, seed });
        expect(bootstrapRatio([...a].reverse(), [...b].reverse(), { ...QUICK, seed })).toEqual(answer);
        expect(answer.low).toBeLessThanOrEqual(answer.ratio);
        expect(answer.high).toBeGreaterThanOrEqual(answer.ratio);
        const doubled = bootstrapRatio(
          a.map((value) => 2 * value),
          b,
          { ...QUICK, seed },
        );
        expect(doubled).toEqual({ ratio: 2 * answer.ratio, low: 2 * answer.low, high: 2 * answer.high });
      }),
    );
  });
});

describe('pairedRatio', () => {
  const pairsOf = (ratios: readonly number[]) => ratios.map((ratio, step) => ({ a: ratio * 2 ** step, b: 2 ** step }));

  // Logarithms of 1 and 4 have the mean of those of 2.
  it('is the geometric median', () => {
    expect(pairedRatio(pairsOf([1, 4])).ratio).toBeCloseTo(2, 12);
  });

  // All of six pairs lie on one side of the median in 2 of 64 cases, 3.1 %: least and greatest hold 95 %. With the second ones it
  // is 2 · (1 + 6)/64 = 21.9 %, so at a confidence of 78 % those are the limits. Of five, 2 of 32 are 6.3 %: none at 95 %.
  it('has the limits that a sign test has by hand', () => {
    const pairs = pairsOf([1.1, 1.3, 1.2, 1.5, 1.4, 1.6]);
    const limits = ({ low, high }: { low: number; high: number }) => [low, high].map((value) => Number(value.toFixed(9)));
    expect(limits(pairedRatio(pairs))).toEqual([1.1, 1.6]);
    expect(limits(pairedRatio(pairs, { confidence: 0.78 }))).toEqual([1.2, 1.5]);
    expect(limits(pairedRatio(pairs.slice(0, 5)))).toEqual([0, Infinity]);
  });

  it('is not misled by a drift that both halves share, where unpaired medians know nothing', () => {
    const drifting = [1, 2, 4, 8, 16, 32, 64, 128].map((b) => ({ a: 1.5 * b, b }));
    const paired = pairedRatio(drifting);
    expect(paired.low).toBeCloseTo(1.5, 12);
    expect(paired.high).toBeCloseTo(1.5, 12);
    const unpaired = bootstrapRatio(
      drifting.map(({ a }) => a),
      drifting.map(({ b }) => b),
    );
    expect(unpaired.low).toBeLessThan(1);
  });

  // Seven pairs are where the bootstrap alone is worst: 88 %. The sign test's least and greatest hold 1 − 2/128 = 98.4 %.
  it('covers the true ratio of seven pairs in 95 % of the series', () => {
    const draw = seededDraws(13);
    const noisy = (scale: number) => scale * Math.exp(0.3 * (draw() + draw() + draw() - 1.5));
    let covered = 0;
    for (let run = 0; run < 400; run += 1) {
      const pairs = Array.from({ length: 7 }, () => ({ a: noisy(3), b: noisy(2) }));
      const { low, high } = pairedRatio(pairs, { ...QUICK, seed: run });
      if (low <= 1.5 && high >= 1.5) covered += 1;
    }
    expect(covered / 400).toBeGreaterThanOrEqual(0.95);
  });

  it('of few pairs knows no limits, and refuses none', () => {
    expect(pairedRatio(pairsOf([2, 2, 2, 2]))).toEqual({ ratio: 2, low: 0, high: Infinity });
    expect(() => pairedRatio([])).toThrow(RangeError);
    expect(() => pairedRatio([{ a: -1, b: 1 }])).toThrow(RangeError);
  });

  it('is deterministic and its inverse when the arms change places', () => {
    fc.assert(
      fc.property(times, fc.integer(), (values, seed) => {
        const pairs = values.map((a, step) => ({ a, b: step + 1 }));
        const options = { ...QUICK, seed };
        const answer = pairedRatio(pairs, options);
        expect(pairedRatio(pairs, options)).toEqual(answer);
        expect(answer.low).toBeLessThanOrEqual(answer.ratio);
        expect(answer.high).toBeGreaterThanOrEqual(answer.ratio);
        expect(pairedRatio(pairs.map(({ a, b }) => ({ a: b, b: a }))).ratio).toBeCloseTo(1 / answer.ratio, 12);
      }),
    );
  });
});
