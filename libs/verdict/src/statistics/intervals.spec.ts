import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearson, rateOf } from './intervals.js';

describe('clopperPearson', () => {
  // verdict.md section 6; k = n closes to (0.025^(1/n), 1), computed by hand.
  it.each([
    [3, 3, 0.2924, 1],
    [5, 5, 0.4782, 1],
    [3, 10, 0.0667, 0.6525],
    [0, 10, 0, 0.3085],
    [0, 3, 0, 0.7076],
  ])('%i of %i is %f to %f', (shown, total, low, high) => {
    const interval = clopperPearson(shown, total);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('equals the published interval of 81 of 263 (Newcombe 1998, Statistics in Medicine 17:857, table I: 0.2527 to 0.3676)', () => {
    const interval = clopperPearson(81, 263);
    expect(interval.low).toBeCloseTo(0.2527, 4);
    expect(interval.high).toBeCloseTo(0.3676, 4);
  });

  it('knows nothing from nothing and refuses what is no count', () => {
    expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
    expect(() => clopperPearson(4, 3)).toThrow(RangeError);
    expect(() => clopperPearson(-1, 3)).toThrow(RangeError);
  });

  it('holds the share, and mirrors when shown and missed change places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (total, raw) => {
        const shown = raw % (total + 1);
        const { low, high } = clopperPearson(shown, total);
        const mirrored = clopperPearson(total - shown, total);
        expect(low).toBeLessThanOrEqual(shown / total);
        expect(high).toBeGreaterThanOrEqual(shown / total);
        expect(mirrored.low).toBeCloseTo(1 - high, 9);
        expect(mirrored.high).toBeCloseTo(1 - low, 9);
      }),
    );
  });
});

describe('rateOf', () => {
  it('rounds to four digits', () => {
    expect(rateOf(3, 3)).toEqual({ shown: 3, total: 3, low: 0.2924, high: 1 });
  });
});
