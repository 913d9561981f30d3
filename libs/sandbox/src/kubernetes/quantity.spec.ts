import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuantity } from './quantity.js';

describe('quantities', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['4', 4],
    ['3920m', 3.92],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['16Gi', 16 * 2 ** 30],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['128974848', 128_974_848],
    ['129e6', 129e6],
    ['129M', 129e6],
    ['123Mi', 123 * 2 ** 20],
    ['2E', 2e18],
    ['2E3', 2000],
    ['100k', 100e3],
  ])('%s is %d', (text, value) => {
    expect(parseQuantity(text)).toBeCloseTo(value, 9);
  });

  it.each(['', 'x', '1 Gi', '1gi', 'Gi', '1.2.3', '1Kii', '0x10', 'NaN', 'Infinity', '1e', '--1', '1_000'])('%j is none', (text) => {
    expect(parseQuantity(text)).toBeNaN();
  });

  it('are whole numbers as they were written', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (value) => parseQuantity(String(value)) === value));
    fc.assert(fc.property(fc.nat(1_000_000), (value) => Math.round(parseQuantity(`${value}m`) * 1000) === value));
  });

  it('never take long', () => {
    expect(parseQuantity(`${'1'.repeat(100_000)}x`)).toBeNaN();
  });
});
