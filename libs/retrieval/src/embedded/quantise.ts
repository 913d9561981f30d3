/** Rows are padded to a multiple of this, as the kernel takes 16 numbers at a time. */
export const ROW_STEP = 16;

/** Padded length of a vector of `dimensions` numbers. */
export function rowWidth(dimensions: number): number {
  return Math.ceil(dimensions / ROW_STEP) * ROW_STEP;
}

/** What a row was made of: code · scale is near the row, at a distance (Euclidean) of at most `error`. */
export interface RowScale {
  scale: number;
  error: number;
}

/** Writes a row as int8 codes. The distance is measured, not estimated, and rounded up. */
export function quantiseRow(row: Float32Array, codes: Int8Array): RowScale {
  const scale = Math.fround(largest(row) / 127);
  let squared = 0;
  for (let place = 0; place < row.length; place++) {
    const value = row[place] ?? 0;
    const code = scale === 0 ? 0 : Math.max(-127, Math.min(127, Math.round(value / scale)));
    codes[place] = code;
    squared += (value - code * scale) ** 2;
  }
  return { scale, error: Math.sqrt(squared) * (1 + 1e-6) };
}

/** A query as int16 codes; `length` is that of code · scale, `error` the distance to the query. */
export interface QuantisedQuery extends RowScale {
  codes: Int16Array;
  length: number;
}

/** Largest code for which sums over a whole row stay below 2^31. */
function largestCode(width: number): number {
  return Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * width)));
}

/** Writes a query as int16 codes of a padded row, for exact sums in int32. */
export function quantiseQuery(query: Float32Array): QuantisedQuery {
  const width = rowWidth(query.length);
  const codes = new Int16Array(width);
  const scale = largest(query) / largestCode(width);
  let squared = 0;
  let length = 0;
  for (let place = 0; place < query.length; place++) {
    const value = query[place] ?? 0;
    const code = scale === 0 ? 0 : Math.round(value / scale);
    codes[place] = code;
    squared += (value - code * scale) ** 2;
    length += (code * scale) ** 2;
  }
  return { codes, scale, error: Math.sqrt(squared), length: Math.sqrt(length) };
}

function largest(values: Float32Array): number {
  let most = 0;
  for (let place = 0; place < values.length; place++) most = Math.max(most, Math.abs(values[place] ?? 0));
  return most;
}
