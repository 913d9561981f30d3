import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile, twoSidedZ } from './normal-quantile.js';

/** P(0 ≤ Z ≤ z) by Simpson's rule, independent of the approximation under test. */
function areaUpTo(z: number): number {
  const steps = 400;
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(z);
  for (let step = 1; step < steps; step += 1) sum += (step % 2 === 0 ? 2 : 4) * density((z * step) / steps);
  return (sum * z) / steps / 3;
}

describe('normalQuantile', () => {
  // The check values of Wichura 1988, one for each of the three approximations.
  it.each([
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167814],
    [1e-20, -9.262340089798409],
  ])('of %d is %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 12);
  });

  it('is 0 in the middle, infinite at the ends, and refuses what is no probability', () => {
    expect(normalQuantile(0.5)).toBe(0);
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(() => normalQuantile(1.1)).toThrow(RangeError);
    expect(() => normalQuantile(Number.NaN)).toThrow(RangeError);
  });

  it('undoes the integral of the density', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 1 - 1e-6, noNaN: true }), (p) => {
        expect(0.5 + areaUpTo(normalQuantile(p))).toBeCloseTo(p, 9);
        expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 9);
      }),
    );
  });
});

describe('twoSidedZ', () => {
  it('is the usual point of a table', () => {
    expect(twoSidedZ(0.9)).toBeCloseTo(1.6448536269514722, 12);
    expect(twoSidedZ(0.95)).toBeCloseTo(1.959963984540054, 12);
    expect(twoSidedZ(0.99)).toBeCloseTo(2.5758293035489004, 12);
    expect(() => twoSidedZ(1)).toThrow(RangeError);
    expect(() => twoSidedZ(0)).toThrow(RangeError);
  });
});
