import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';

/** A value of an observation in the one form in which values are compared. */
export type Comparable = number | string | boolean | null | Comparable[] | { [name: string]: Comparable };
export type Comparator = OracleOf<'relation'>['op'];

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** `True` is true, `None` is null, `1e-3`, `nan` and `-inf` are numbers; everything else stays as it is. */
export function comparable(value: unknown): Comparable {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, comparable(inner)]));
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : String(value);
  const text = value.trim();
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (text === 'None' || text === 'null') return null;
  if (/^[-+]?nan$/.test(lower)) return NaN;
  if (/^[-+]?inf(?:inity)?$/.test(lower)) return lower.startsWith('-') ? -Infinity : Infinity;
  return NUMBER.test(text) ? Number(text) : value;
}

/** Deep equality; nan equals nothing, not even itself. */
export function equalValues(left: Comparable, right: Comparable): boolean {
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => equalValues(item, right[index] ?? null));
  }
  if (typeof left === 'object' && typeof right === 'object' && left !== null && right !== null) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => name in right && equalValues(left[name] ?? null, right[name] ?? null))
    );
  }
  return left === right;
}

function holdsNaN(value: Comparable): boolean {
  if (Array.isArray(value)) return value.some(holdsNaN);
  return typeof value === 'number' && Number.isNaN(value);
}

/** Tolerance of `approx`: |l − r| ≤ absolute + relative · |r|. */
export interface Tolerance {
  absolute?: number | undefined;
  relative?: number | undefined;
}

/** One comparison. Every comparison with nan is false, `!=` included. Null where the two cannot be ordered. */
export function compareValues(left: Comparable, op: Comparator, right: Comparable, tolerance: Tolerance = {}): boolean | null {
  if (holdsNaN(left) || holdsNaN(right)) return false;
  if (op === '==') return equalValues(left, right);
  if (op === '!=') return !equalValues(left, right);
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  switch (op) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case 'approx':
      return left === right || Math.abs(left - right) <= (tolerance.absolute ?? 0) + (tolerance.relative ?? 0) * Math.abs(right);
  }
}

/** One value of one observation line. */
export interface ObservedValue {
  seq: number;
  value: Comparable;
  text: string;
}

/** `rank` and `step` may stand on the line or, where they do not, come from the record itself. */
export function fieldOf(record: EvidenceOf<'obs'>, name: string): unknown {
  if (Object.hasOwn(record.values, name)) return record.values[name];
  if (name === 'rank') return record.rank;
  return name === 'step' ? record.step : undefined;
}

/** Whether the line carries what `where` asks for. */
export function carries(record: EvidenceOf<'obs'>, where: Record<string, unknown> = {}): boolean {
  return Object.entries(where).every(([field, wanted]) => {
    const value = fieldOf(record, field);
    return value !== undefined && equalValues(comparable(value), comparable(wanted));
  });
}

/** Values of one name, in order, of the lines that carry what `where` asks for. */
export function observedValues(view: EvidenceView, name: string, where: Record<string, unknown> = {}): ObservedValue[] {
  return view.observations
    .filter((record) => Object.hasOwn(record.values, name) && carries(record, where))
    .map((record) => ({
      seq: record.seq,
      value: comparable(record.values[name]),
      text: `OBS ${name}=${JSON.stringify(record.values[name])}`,
    }));
}
