import type { Comparable, Tolerance } from './observed-value.js';

function sameNumber(left: number, right: number, { absolute = 0, relative = 0 }: Tolerance): boolean {
  if (Object.is(left, right) || left === right) return true;
  return Math.abs(left - right) <= absolute + relative * Math.abs(right) && Number.isFinite(left) && Number.isFinite(right);
}

function sameAll(results: readonly (boolean | null)[]): boolean | null {
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

function isMapping(value: Comparable): value is Record<string, Comparable> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether two results are the same. Other than for a relation, nan is the same result as nan: what is asked is whether
 * anything changed. Null where the two are of unlike forms, such as a number and a text, so that nothing can be said.
 */
export function sameResult(left: Comparable, right: Comparable, tolerance: Tolerance = {}): boolean | null {
  if (typeof left === 'number' && typeof right === 'number') return sameNumber(left, right, tolerance);
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    return sameAll(left.map((item, index) => sameResult(item, right[index] ?? null, tolerance)));
  }
  if (isMapping(left) && isMapping(right)) {
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length || !names.every((name) => Object.hasOwn(right, name))) return false;
    return sameAll(names.map((name) => sameResult(left[name] ?? null, right[name] ?? null, tolerance)));
  }
  // A value that is lost is a difference, whatever was there.
  if (left === null || right === null) return left === right;
  return typeof left === typeof right && !Array.isArray(left) && !Array.isArray(right) ? left === right : null;
}
