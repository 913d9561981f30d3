import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from './wilson.js';

describe('wilsonInterval', () => {
  it('equals the published intervals of Newcombe 1998, table I, method 3', () => {
    expect(wilsonInterval(81, 263).low).toBeCloseTo(0.2553, 4);
    expect(wilsonInterval(81, 263).high).toBeCloseTo(0.3662, 4);
    expect(wilsonInterval(15, 148).low).toBeCloseTo(0.0624, 4);
    expect(wilsonInterval(15, 148).high).toBeCloseTo(0.1605, 4);
    expect(wilsonInterval(0, 20).high).toBeCloseTo(0.1611, 4);
    expect(wilsonInterval(1, 29).low).toBeCloseTo(0.0061, 4);
  });

  it('holds the share and stays within [0, 1]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(80), (total, raw) => {
        const shown = raw % (total + 1);
        const { low, high } = wilsonInterval(shown, total);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(shown / total + 1e-12);
        expect(high).toBeGreaterThanOrEqual(shown / total - 1e-12);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  // 1 of 1 with z: (1 + z²/2 ± z·√(z²/4)) / (1 + z²), so low is 1 / (1 + z²); z² of 90 % is 2.705543, of 99 % 6.634897.
  it('takes other confidences', () => {
    expect(wilsonInterval(1, 1, 0.9).low).toBeCloseTo(1 / 3.705543454, 9);
    expect(wilsonInterval(1, 1, 0.99).low).toBeCloseTo(1 / 7.634896601, 9);
  });

  it('grows with the confidence and is mirrored when shown and missed change places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(80), (total, raw) => {
        const shown = raw % (total + 1);
        const [narrow, wide] = [wilsonInterval(shown, total, 0.9), wilsonInterval(shown, total, 0.99)];
        expect(wide.low).toBeLessThanOrEqual(narrow.low);
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high);
        expect(wilsonInterval(total - shown, total, 0.9).low).toBeCloseTo(1 - narrow.high, 12);
      }),
    );
  });

  it('knows nothing from nothing and refuses what is no count or no confidence', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(() => wilsonInterval(4, 3)).toThrow(RangeError);
    expect(() => wilsonInterval(1, 3, 1)).toThrow(RangeError);
  });
});
