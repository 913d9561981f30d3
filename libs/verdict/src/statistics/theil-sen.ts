import { ascending, medianOfSorted } from './median.js';
import { twoSidedZ } from './normal-quantile.js';

export interface Point {
  x: number;
  y: number;
}

/** Slope per unit of x with its interval. A limit is infinite where so few points hold none (fewer than 5 at 95 %). */
export interface TheilSen {
  slope: number;
  /** Median of y − slope · x. */
  intercept: number;
  low: number;
  high: number;
  /** Pairs of points with different x that the slope is the median of. */
  pairs: number;
}

/** Most points whose pairs are taken: 79,800 slopes, some ten milliseconds. */
const MOST_POINTS = 400;
const LEAST_DIFFERENT = 3;

/** In the order of x; equally spaced ones in that order where there are too many, with the first and the last. */
function thinned(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  if (sorted.length <= MOST_POINTS) return sorted;
  const stride = (sorted.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_unused, step) => sorted[Math.round(step * stride)] as Point);
}

function pairSlopes(sorted: readonly Point[]): Float64Array {
  const slopes: number[] = [];
  sorted.forEach((one, index) => {
    for (const other of sorted.slice(index + 1)) if (other.x !== one.x) slopes.push((other.y - one.y) / (other.x - one.x));
  });
  return ascending(slopes);
}

/**
 * Variance of Kendall's S with groups of equal x (Sen 1968, formula 2.6; Kendall 1970, chapter 4). Equal y do not shrink it: the
 * interval asks of y − β·x, which is tied for hardly any β, and three equal values would otherwise count as certain.
 */
function varianceOfS(points: readonly Point[]): number {
  const sizes = new Map<number, number>();
  for (const { x } of points) sizes.set(x, (sizes.get(x) ?? 0) + 1);
  const term = (size: number): number => size * (size - 1) * (2 * size + 5);
  return [...sizes.values()].reduce((rest, size) => rest - term(size), term(points.length)) / 18;
}

/**
 * Median of the slopes of all pairs (Theil 1950; Sen 1968, JASA 63:1379) with Sen's interval: the slopes at the ranks
 * (N ∓ z·√Var S)/2. Robust against outliers, not against points that depend on each other. More than 400 points are thinned
 * to 400 in equal steps along x, the first and last kept, so a rhythm of just that step would escape it. Null for fewer than
 * 3 points with different x. @throws RangeError for values that are not finite or a `confidence` outside (0, 1)
 */
export function theilSen(points: readonly Point[], confidence = 0.95): TheilSen | null {
  const z = twoSidedZ(confidence);
  if (!points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) throw new RangeError('a point is not finite');
  const taken = thinned(points);
  if (new Set(taken.map(({ x }) => x)).size < LEAST_DIFFERENT) return null;
  const slopes = pairSlopes(taken);
  const slope = medianOfSorted(slopes);
  const margin = z * Math.sqrt(varianceOfS(taken));
  return {
    slope,
    intercept: medianOfSorted(ascending(taken.map(({ x, y }) => y - slope * x))),
    // Ranks from 1, rounded as Sen's table does: the M1-th and the (M2 + 1)-th slope.
    low: slopes[Math.round((slopes.length - margin) / 2) - 1] ?? -Infinity,
    high: slopes[Math.round((slopes.length + margin) / 2)] ?? Infinity,
    pairs: slopes.length,
  };
}
