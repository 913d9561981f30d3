/** The values in rising order, as a copy. */
export function ascending(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** The middle of rising values, or the mean of the two middle ones. @throws RangeError where there are none */
export function medianOfSorted(sorted: ArrayLike<number>): number {
  const lower = sorted[(sorted.length - 1) >> 1];
  const upper = sorted[sorted.length >> 1];
  if (lower === undefined || upper === undefined) throw new RangeError('no values');
  return (lower + upper) / 2;
}
