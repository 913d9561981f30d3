import { describe, expect, it } from 'vitest';
import type { Comparable } from './observed-value.js';
import { decide, survivesCut, takeValues, type Take } from './taken-values.js';

const series = (...values: Comparable[]) => values.map((value, seq) => ({ seq, value, text: `x=${JSON.stringify(value)}` }));
const taken = (take: Take, ...values: Comparable[]) => takeValues(series(...values), take)?.values;

describe('taking values', () => {
  it('picks one, and tells which', () => {
    expect(takeValues(series(2, 5, 1, 5), 'max')).toMatchObject({ values: [5], quantifier: 'every', from: [{ seq: 1 }] });
    expect(takeValues(series(2, 1, 5, 1), 'min')).toMatchObject({ values: [1], quantifier: 'every', from: [{ seq: 1 }] });
    expect(takeValues(series(2, 1, 5), 'first')).toMatchObject({ values: [2], from: [{ seq: 0 }] });
    expect(takeValues(series(2, 1, 5), 'last')).toMatchObject({ values: [5], from: [{ seq: 2 }] });
    expect(taken('max', -3, -2)).toEqual([-2]);
    expect(taken('min', -3, -2)).toEqual([-3]);
  });

  it('picks none of no values', () => {
    for (const take of ['first', 'last', 'max', 'min'] as const) expect(takeValues([], take)).toBeNull();
  });

  it('makes nan the extreme and the mean of a series that holds it', () => {
    expect(taken('max', 1, NaN, 9)).toEqual([NaN]);
    expect(taken('min', 1, NaN, 0)).toEqual([NaN]);
    expect(taken('mean', 1, NaN)).toEqual([NaN]);
  });

  it('needs numbers for an extreme and a mean only', () => {
    for (const take of ['max', 'min', 'mean'] as const) expect(taken(take, 1, 'a')).toBeUndefined();
    expect(taken('mean', 1, 2, 6)).toEqual([3]);
    expect(taken('last', 1, 'a')).toEqual(['a']);
    expect(taken('distinct', 1, 'a', '1', true, 1, null)).toEqual([5]);
  });

  it('counts nan once', () => {
    expect(taken('distinct', NaN, 1, NaN)).toEqual([2]);
    expect(taken('distinct', 1, 1)).toEqual([1]);
    expect(taken('distinct', NaN, NaN)).toEqual([1]);
    expect(taken('distinct', [1], [1], [2])).toEqual([2]);
  });

  it('shows only some of the lines that a number was computed of', () => {
    const many = series(...Array.from({ length: 12 }, (_, index) => index));
    expect(takeValues(many, 'mean')?.from).toHaveLength(3);
    expect(takeValues(many, 'distinct')?.from).toHaveLength(8);
    expect(takeValues(many, 'all')).toMatchObject({ quantifier: 'every', from: many });
    expect(takeValues(many, 'any')).toMatchObject({ quantifier: 'some', from: many });
  });
});

describe('deciding', () => {
  const every = (...values: Comparable[]) => decide({ values, quantifier: 'every', from: [] }, '>', 1);
  const some = (...values: Comparable[]) => decide({ values, quantifier: 'some', from: [] }, '>', 1);

  it('asks every value, and one that fails outweighs one that cannot be ordered', () => {
    expect(every(2, 3)).toBe(true);
    expect(every(2, 1)).toBe(false);
    expect(every(2, 'a')).toBeNull();
    expect(every(1, 'a')).toBe(false);
  });

  it('asks for some value, and one that holds outweighs one that cannot be ordered', () => {
    expect(some(1, 2)).toBe(true);
    expect(some(1, 0)).toBe(false);
    expect(some(2, 'a')).toBe(true);
    expect(some(1, 'a')).toBeNull();
  });

  it('passes the tolerance on', () => {
    const near = { values: [1.5], quantifier: 'every' as const, from: [] };
    expect(decide(near, 'approx', 1, { absolute: 0.5 })).toBe(true);
    expect(decide(near, 'approx', 1)).toBe(false);
  });
});

describe('an outcome of a series that a limit cut short', () => {
  /** Whether it stands where the relation holds, and where it does not. */
  const stands = (take: Take, op: Parameters<typeof survivesCut>[1]) => [survivesCut(take, op, true), survivesCut(take, op, false)];

  it.each(['max', 'distinct'] as const)('stands for %s, which only grows, once it is above', (take) => {
    for (const op of ['>', '>='] as const) expect(stands(take, op)).toEqual([true, false]);
    for (const op of ['<', '<='] as const) expect(stands(take, op)).toEqual([false, true]);
    for (const op of ['==', '!=', 'approx'] as const) expect(stands(take, op)).toEqual([false, false]);
  });

  it('stands for min, which only shrinks, once it is below', () => {
    for (const op of ['<', '<='] as const) expect(stands('min', op)).toEqual([true, false]);
    for (const op of ['>', '>='] as const) expect(stands('min', op)).toEqual([false, true]);
    for (const op of ['==', '!=', 'approx'] as const) expect(stands('min', op)).toEqual([false, false]);
  });

  it('stands for the first value, for one that holds, and for one of all that fails', () => {
    expect(stands('first', '==')).toEqual([true, true]);
    expect(stands('any', '==')).toEqual([true, false]);
    expect(stands('all', '==')).toEqual([false, true]);
    expect(stands('last', '>')).toEqual([false, false]);
    expect(stands('mean', '>')).toEqual([false, false]);
  });
});
