import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascending, medianOfSorted } from './median.js';

describe('medianOfSorted', () => {
  it('is the middle, or half way between the two middle ones', () => {
    expect(medianOfSorted([1, 5, 100])).toBe(5);
    expect(medianOfSorted([1, 5, 8, 100])).toBe(6.5);
    expect(() => medianOfSorted([])).toThrow(RangeError);
  });

  it('has as many values at or below as at or above, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const median = medianOfSorted(ascending(values));
        expect(values.filter((value) => value <= median).length * 2).toBeGreaterThanOrEqual(values.length);
        expect(values.filter((value) => value >= median).length * 2).toBeGreaterThanOrEqual(values.length);
      }),
    );
  });
});
