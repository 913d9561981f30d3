import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fisherOneSided, isSignificant, toNumber } from './fisher.js';

const test = (shown: number, total: number, controlShown: number, controlTotal: number) =>
  fisherOneSided({ shown, total }, { shown: controlShown, total: controlTotal });

describe('fisherOneSided', () => {
  it('3 of 3 against 0 of 3 is exactly 1/20, which is not above 0.05', () => {
    const p = test(3, 3, 0, 3);
    expect(p.numerator * 20n).toBe(p.denominator);
    expect(isSignificant(p, 1)).toBe(true);
    expect(isSignificant(p, 2)).toBe(false);
  });

  // verdict.md section 6.
  it.each([
    [4, 5, 0, 5, 0.0238],
    [5, 5, 0, 5, 0.004],
    [5, 10, 0, 10, 0.0163],
    [3, 10, 0, 10, 0.1053],
  ])('%i of %i against %i of %i is %f', (...row) => {
    const [shown, total, controlShown, controlTotal, p] = row;
    expect(toNumber(test(shown, total, controlShown, controlTotal))).toBeCloseTo(p, 4);
  });

  it('equals the lady tasting tea: 3 of 4 right is 17/70 (Fisher 1935, The Design of Experiments, chapter 2)', () => {
    const p = test(3, 4, 1, 4);
    expect(p.numerator * 70n).toBe(17n * p.denominator);
  });

  it('3 of 10 is not enough and 6 of 20 is', () => {
    expect(isSignificant(test(3, 10, 0, 10), 1)).toBe(false);
    expect(isSignificant(test(6, 20, 0, 20), 1)).toBe(true);
  });

  it('lies in (0, 1] and falls with every more shown trial', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), fc.nat(25), fc.nat(25), (total, rawShown, rawControl) => {
        const shown = rawShown % total;
        const control = rawControl % (total + 1);
        const fewer = toNumber(test(shown, total, control, total));
        const more = toNumber(test(shown + 1, total, control, total));
        expect(fewer).toBeGreaterThan(0);
        expect(fewer).toBeLessThanOrEqual(1);
        expect(more).toBeLessThanOrEqual(fewer);
      }),
    );
  });

  it('of equal arms it is never significant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), fc.nat(25), (total, raw) => {
        const shown = raw % (total + 1);
        expect(isSignificant(test(shown, total, shown, total), 1)).toBe(false);
      }),
    );
  });
});
