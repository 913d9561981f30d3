/** @throws RangeError unless k of n are whole numbers with 0 ≤ k ≤ n */
export function assertCounts(k: number, n: number): void {
  if (!Number.isInteger(k) || !Number.isInteger(n) || k < 0 || n < 0 || k > n) throw new RangeError(`no counts: ${k} of ${n}`);
}
