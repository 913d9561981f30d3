import { describe, expect, it } from 'vitest';
import { sameResult } from './same-result.js';

describe('the same result', () => {
  it('is an equal number, nan and infinity included', () => {
    expect(sameResult(1, 1)).toBe(true);
    expect(sameResult(NaN, NaN)).toBe(true);
    expect(sameResult(0, -0)).toBe(true);
    expect(sameResult(Infinity, Infinity)).toBe(true);
    expect(sameResult(1, 1.5)).toBe(false);
    expect(sameResult(NaN, 1, { absolute: 9 })).toBe(false);
  });

  it('is a number up to the tolerance, measured by the right one', () => {
    expect(sameResult(1.5, 1, { absolute: 0.5 })).toBe(true);
    expect(sameResult(1.75, 1, { absolute: 0.5 })).toBe(false);
    expect(sameResult(12, 16, { relative: 0.25 })).toBe(true);
    expect(sameResult(16, 12, { relative: 0.25 })).toBe(false);
    expect(sameResult(-12, -16, { relative: 0.25 })).toBe(true);
    expect(sameResult(11, 16, { absolute: 1, relative: 0.25 })).toBe(true);
  });

  it('is never a number beside an infinity', () => {
    expect(sameResult(1, Infinity, { relative: 1 })).toBe(false);
    expect(sameResult(Infinity, 1, { absolute: Infinity })).toBe(false);
    expect(sameResult(Infinity, -Infinity, { relative: 1 })).toBe(false);
  });

  it('is a list of as many same items', () => {
    expect(sameResult([1, NaN], [1, NaN])).toBe(true);
    expect(sameResult([], [])).toBe(true);
    expect(sameResult([1], [1, 2])).toBe(false);
    expect(sameResult([1, 2], [1])).toBe(false);
    expect(sameResult([1, 2], [1, 3])).toBe(false);
    expect(sameResult([1.5], [1], { absolute: 0.5 })).toBe(true);
    expect(sameResult([1, 'a'], [1, 2])).toBeNull();
    expect(sameResult([1, 'a'], [3, 2])).toBe(false);
  });

  it('is a mapping of the same names and values', () => {
    expect(sameResult({ a: 1, b: NaN }, { b: NaN, a: 1 })).toBe(true);
    expect(sameResult({ a: 1 }, { a: 2 })).toBe(false);
    expect(sameResult({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(sameResult({ a: null }, { b: null })).toBe(false);
    expect(sameResult({ a: 1.5 }, { a: 1 }, { absolute: 0.5 })).toBe(true);
    expect(sameResult({ a: 'x' }, { a: 1 })).toBeNull();
  });

  it('is lost where a value became none', () => {
    expect(sameResult(null, null)).toBe(true);
    for (const value of [1, 'a', [1], { a: 1 }]) {
      expect(sameResult(null, value)).toBe(false);
      expect(sameResult(value, null)).toBe(false);
    }
  });

  it('cannot be told between unlike forms', () => {
    expect(sameResult('a', 'a')).toBe(true);
    expect(sameResult('a', 'b')).toBe(false);
    expect(sameResult(true, false)).toBe(false);
    for (const [left, right] of [
      [1, '1'],
      [1, true],
      [[1], { a: 1 }],
      [{ a: 1 }, [1]],
      [[1], 1],
    ] as const)
      expect(sameResult(left as never, right as never)).toBeNull();
  });
});
