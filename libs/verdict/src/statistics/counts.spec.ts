import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertCounts } from './counts.js';

describe('assertCounts', () => {
  it('takes any part of a whole, none of none among them', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (k, rest) => {
        expect(() => assertCounts(k, k + rest)).not.toThrow();
      }),
    );
  });

  it.each([
    [4, 3],
    [-1, 3],
    [0.5, 3],
    [1, Number.NaN],
    [1, Infinity],
  ])('refuses %f of %f', (k, n) => {
    expect(() => assertCounts(k, n)).toThrow(RangeError);
  });
});
