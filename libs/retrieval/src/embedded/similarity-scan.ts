import type { Generation } from './generation.js';
import { quantiseQuery } from './quantise.js';

/** Cosines of the query with all rows; the true one of a row is within `errors[row] · errorScale + errorConstant` of it. */
export interface SimilarityScan {
  cosines: Float64Array;
  errors: Float32Array;
  errorScale: number;
  errorConstant: number;
}

/** How far the true cosine of a row may be from the scanned one. */
export function scanError(scan: SimilarityScan, row: number): number {
  return (scan.errors[row] ?? 0) * scan.errorScale + scan.errorConstant;
}

/** Lengths of unit vectors are 1 within this (see the row collector). */
const LONGEST_ROW = 1.01;
/** Rounding of the reckoning itself, beside which doubles are exact. */
const ROUNDING = 1e-7;

/**
 * Scans the int8 rows. With row v = s·c + e, query u = t·p + f and integers c, p, the sum c·p is exact, and
 * |u·v − s·t·(c·p)| = |f·v + t·p·e| ≤ |f|·|v| + |t·p|·|e| (Cauchy and Schwarz).
 */
export function scanCodes({ sections, kernel, scratch, buffer, width }: Generation, query: Float32Array): SimilarityScan {
  const { codes, rowScales, rowErrors } = sections;
  const count = rowScales.length;
  const quantised = quantiseQuery(query);
  new Int16Array(buffer, scratch.query, width).set(quantised.codes);
  kernel.int8({ rows: codes.byteOffset, query: scratch.query, out: scratch.out, count, width });
  const sums = new Int32Array(buffer, scratch.out, count);
  const cosines = new Float64Array(count);
  for (let row = 0; row < count; row++) cosines[row] = (sums[row] ?? 0) * (rowScales[row] ?? 0) * quantised.scale;
  return { cosines, errors: rowErrors, errorScale: quantised.length, errorConstant: quantised.error * LONGEST_ROW + ROUNDING };
}

/** Scans the true rows, which must be in memory: twice to four times the time of the codes, with hardly an error. */
export function scanRows({ sections, kernel, scratch, buffer, width }: Generation, query: Float32Array): SimilarityScan {
  const count = sections.rowChunks.length;
  const padded = new Float32Array(buffer, scratch.query, width).fill(0);
  padded.set(query);
  kernel.float32({ rows: sections.rows.byteOffset, query: scratch.query, out: scratch.out, count, width });
  const cosines = Float64Array.from(new Float32Array(buffer, scratch.out, count));
  // Each lane adds width / 8 products in float32 (unit roundoff 2^−24), then the lanes are added.
  const errorConstant = (width / 8 + 8) * 2 ** -24 * LONGEST_ROW * LONGEST_ROW;
  return { cosines, errors: sections.rowErrors, errorScale: 0, errorConstant };
}

/** Dot product of a row and a query in double precision. */
export function exactCosine(row: Float32Array, query: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < query.length; place++) sum += (row[place] ?? 0) * (query[place] ?? 0);
  return sum;
}
