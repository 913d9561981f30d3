import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence } from '../testing/index.js';
import { carries, comparable, compareValues, equalValues, observedValues } from './observed-value.js';

describe('comparable', () => {
  it.each([
    ['True', true],
    ['FALSE', false],
    [' true ', true],
    ['None', null],
    ['null', null],
    ['none', 'none'],
    ['nan', NaN],
    ['-NaN', NaN],
    ['inf', Infinity],
    ['+Infinity', Infinity],
    ['-inf', -Infinity],
    ['1e-3', 0.001],
    ['-2.', -2],
    ['.5', 0.5],
    ['+3E2', 300],
    ['', ''],
    ['1e', '1e'],
    ['0x10', '0x10'],
    ['v1', 'v1'],
    ['1 2', '1 2'],
    [' x ', ' x '],
    ['nano', 'nano'],
    ['info', 'info'],
    ['xinf', 'xinf'],
    [7, 7],
    [false, false],
    [null, null],
    [undefined, 'undefined'],
  ])('reads %j as %j', (value, expected) => {
    expect(comparable(value)).toBe(expected);
  });

  it('reads what lists and mappings hold', () => {
    expect(comparable(['1', { a: 'None', b: ['True'] }])).toEqual([1, { a: null, b: [true] }]);
  });
});

describe('equality', () => {
  it('asks for equal length and equal items of lists', () => {
    expect(equalValues([1, 2], [1, 2])).toBe(true);
    expect(equalValues([], [])).toBe(true);
    expect(equalValues([1, 2], [1, 3])).toBe(false);
    expect(equalValues([1], [1, 2])).toBe(false);
    expect(equalValues([1, 2], [1])).toBe(false);
    expect(equalValues([null], [])).toBe(false);
    expect(equalValues([1], 1)).toBe(false);
    expect(equalValues(1, [1])).toBe(false);
    expect(equalValues([], {})).toBe(false);
    expect(equalValues({}, [])).toBe(false);
  });

  it('asks for equal names and values of mappings', () => {
    expect(equalValues({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(equalValues({}, {})).toBe(true);
    expect(equalValues({ a: 1 }, { a: 2 })).toBe(false);
    expect(equalValues({ a: 1 }, { a: 1, b: 1 })).toBe(false);
    expect(equalValues({ a: 1, b: 1 }, { a: 1 })).toBe(false);
    expect(equalValues({ a: null }, { b: null })).toBe(false);
    expect(equalValues({}, null)).toBe(false);
    expect(equalValues(null, {})).toBe(false);
    expect(equalValues({}, 1)).toBe(false);
    expect(equalValues(1, {})).toBe(false);
  });

  it('keeps unlike forms apart', () => {
    expect(equalValues(null, null)).toBe(true);
    expect(equalValues(0, false)).toBe(false);
    expect(equalValues(1, '1')).toBe(false);
    expect(equalValues(NaN, NaN)).toBe(false);
  });
});

describe('a comparison', () => {
  it.each([
    [1, '<', [false, false, true]],
    [1, '<=', [false, true, true]],
    [1, '>', [true, false, false]],
    [1, '>=', [true, true, false]],
    [1, '==', [false, true, false]],
    [1, '!=', [true, false, true]],
    [1, 'approx', [false, true, false]],
  ] as const)('of %d by %s with one below, its equal and one above', (left, op, expected) => {
    expect([0.5, 1, 1.5].map((right) => compareValues(left, op, right))).toEqual(expected);
  });

  it('holds up to the tolerance, measured by the right side', () => {
    expect(compareValues(11, 'approx', 10, { absolute: 1 })).toBe(true);
    expect(compareValues(9, 'approx', 10, { absolute: 1 })).toBe(true);
    expect(compareValues(11.5, 'approx', 10, { absolute: 1 })).toBe(false);
    expect(compareValues(12, 'approx', 16, { relative: 0.25 })).toBe(true);
    expect(compareValues(16, 'approx', 12, { relative: 0.25 })).toBe(false);
    expect(compareValues(-12, 'approx', -16, { relative: 0.25 })).toBe(true);
    expect(compareValues(11, 'approx', 16, { absolute: 1, relative: 0.25 })).toBe(true);
    expect(compareValues(10, 'approx', 16, { absolute: 1, relative: 0.25 })).toBe(false);
    expect(compareValues(Infinity, 'approx', Infinity)).toBe(true);
    expect(compareValues(Infinity, 'approx', -Infinity)).toBe(false);
  });

  it('holds for nothing with nan', () => {
    for (const op of ['==', '!=', '<', '<=', '>', '>=', 'approx'] as const) {
      expect(compareValues(NaN, op, 1)).toBe(false);
      expect(compareValues(1, op, NaN)).toBe(false);
    }
    expect(compareValues([1, [NaN]], '!=', [1])).toBe(false);
    expect(compareValues('nan?', '!=', 1)).toBe(true);
  });

  it('orders numbers only', () => {
    expect(compareValues('a', '<', 1)).toBeNull();
    expect(compareValues(1, '<', 'a')).toBeNull();
    expect(compareValues(true, 'approx', true)).toBeNull();
    expect(compareValues('a', '!=', 1)).toBe(true);
    expect(compareValues('a', '==', 'a')).toBe(true);
  });
});

describe('an observation line', () => {
  const view = createEvidenceView(
    createEvidence()
      .obs({ acc: 0.5, phase: 'val' }, { rank: 1, step: 2 })
      .obs({ acc: '0.7', phase: 'val', rank: 3, step: 4 }, { rank: 1, step: 2 })
      .obs({ loss: 1, phase: 'val' })
      .build(),
  );
  const values = (where?: Record<string, unknown>) => observedValues(view, 'acc', where).map(({ value }) => value);

  it('has its rank and step from the record where it does not tell them itself', () => {
    expect(values({ rank: 1 })).toEqual([0.5]);
    expect(values({ rank: 3 })).toEqual([0.7]);
    expect(values({ step: 2 })).toEqual([0.5]);
    expect(values({ step: '4' })).toEqual([0.7]);
    expect(values({ pid: 10 })).toEqual([]);
  });

  it('is chosen when it carries everything that is asked for', () => {
    expect(values()).toEqual([0.5, 0.7]);
    expect(values({ phase: 'val' })).toEqual([0.5, 0.7]);
    expect(values({ phase: 'val', rank: 3 })).toEqual([0.7]);
    expect(values({ phase: 'train', rank: 3 })).toEqual([]);
    expect(values({ other: 'undefined' })).toEqual([]);
    expect(view.observations.map((record) => carries(record, { loss: 1 }))).toEqual([false, false, true]);
  });

  it('is shown as it was written', () => {
    expect(observedValues(view, 'acc')[1]?.text).toBe('OBS acc="0.7"');
  });
});
