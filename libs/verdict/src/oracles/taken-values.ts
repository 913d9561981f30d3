import type { OracleOf } from '@reenact/domain';
import { type Comparable, type Comparator, compareValues, equalValues, type ObservedValue, type Tolerance } from './observed-value.js';

export type Take = 'last' | 'first' | 'max' | 'min' | 'mean' | 'all' | 'any' | 'distinct';

/** The values that a comparison is made over: one that was picked or computed, or all of them. */
export interface TakenValues {
  values: Comparable[];
  /** How several values decide. */
  quantifier: 'every' | 'some';
  from: ObservedValue[];
}

function extreme(observed: ObservedValue[], take: 'max' | 'min'): ObservedValue | null {
  const sign = take === 'max' ? 1 : -1;
  let best: ObservedValue | null = null;
  for (const one of observed) {
    if (typeof one.value !== 'number') return null;
    // nan in a series makes its extreme nan, which no comparison holds for.
    if (Number.isNaN(one.value)) return one;
    if (best === null || sign * one.value > sign * (best.value as number)) best = one;
  }
  return best;
}

function countDistinct(observed: ObservedValue[]): number {
  const seen: Comparable[] = [];
  let sawNaN = false;
  for (const { value } of observed) {
    if (typeof value === 'number' && Number.isNaN(value)) sawNaN = true;
    else if (!seen.some((other) => equalValues(other, value))) seen.push(value);
  }
  return seen.length + (sawNaN ? 1 : 0);
}

/** Applies `take` to a non-empty series; null where the values are no numbers and the choice needs some. */
export function takeValues(observed: ObservedValue[], take: Take): TakenValues | null {
  const one = (picked: ObservedValue | undefined | null): TakenValues | null =>
    picked ? { values: [picked.value], quantifier: 'every', from: [picked] } : null;
  switch (take) {
    case 'last':
      return one(observed.at(-1));
    case 'first':
      return one(observed[0]);
    case 'max':
    case 'min':
      return one(extreme(observed, take));
    case 'mean': {
      if (observed.some(({ value }) => typeof value !== 'number')) return null;
      const sum = observed.reduce((total, { value }) => total + (value as number), 0);
      return { values: [sum / observed.length], quantifier: 'every', from: observed.slice(0, 3) };
    }
    case 'distinct':
      return { values: [countDistinct(observed)], quantifier: 'every', from: observed.slice(0, 8) };
    case 'all':
    case 'any':
      return { values: observed.map(({ value }) => value), quantifier: take === 'all' ? 'every' : 'some', from: observed };
  }
}

/** Decides a comparison of taken values with one right side; null where some pair cannot be ordered. */
export function decide(left: TakenValues, op: Comparator, right: Comparable, tolerance: Tolerance = {}): boolean | null {
  const results = left.values.map((value) => compareValues(value, op, right, tolerance));
  if (left.quantifier === 'some') return results.includes(true) ? true : results.includes(null) ? null : false;
  return results.includes(false) ? false : results.includes(null) ? null : true;
}

/**
 * Whether the outcome stands although a limit cut the series short: more values cannot undo it. `max > 1` that holds goes
 * on holding, `all == 0` that fails goes on failing.
 */
export function survivesCut(take: Take, op: OracleOf<'relation'>['op'], holds: boolean): boolean {
  const grows = op === '>' || op === '>=';
  const shrinks = op === '<' || op === '<=';
  switch (take) {
    case 'first':
      return true;
    case 'any':
      return holds;
    case 'all':
      return !holds;
    case 'max':
    case 'distinct':
      return (grows && holds) || (shrinks && !holds);
    case 'min':
      return (shrinks && holds) || (grows && !holds);
    case 'last':
    case 'mean':
      return false;
  }
}
