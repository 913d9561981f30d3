import { seededDraws } from '@reenact/domain';
import { binomialAtMost } from './binomial.js';
import { ascending, medianOfSorted } from './median.js';

export interface BootstrapOptions {
  confidence?: number;
  resamples?: number;
  /** Equal seed and equal values give equal limits. */
  seed?: number;
}

/** A ratio with its interval; 0 and ∞ where so few values hold none. */
export interface RatioInterval {
  ratio: number;
  low: number;
  high: number;
}

/** One step of an interleaved series: a and b measured next to each other. */
export interface Pair {
  a: number;
  b: number;
}

const RESAMPLES = 2_000;
/** With fewer, resampled medians are too few different ones to tell limits (measured: from 5 on 95 % are held). */
const LEAST_VALUES = 5;

interface Resampling {
  draw: () => number;
  resamples: number;
  confidence: number;
}

function resampling({ confidence = 0.95, resamples = RESAMPLES, seed = 1 }: BootstrapOptions): Resampling {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`no confidence: ${confidence}`);
  if (!Number.isInteger(resamples) || resamples < 1) throw new RangeError(`no number of resamples: ${resamples}`);
  return { draw: seededDraws(seed), resamples, confidence };
}

function assertPositive(values: readonly number[]): void {
  if (values.length === 0) throw new RangeError('no values');
  if (!values.every((value) => value > 0 && value < Infinity)) throw new RangeError('a value is not positive and finite');
}

/** Median of one resample. Counts how often each value is drawn, so that nothing is sorted again. */
function resampledMedian(sorted: Float64Array, draw: () => number): number {
  const times = new Uint32Array(sorted.length);
  for (let drawn = 0; drawn < sorted.length; drawn += 1) {
    const index = Math.floor(draw() * sorted.length);
    times[index] = Number(times[index]) + 1;
  }
  const valueAt = (rank: number): number => {
    let index = 0;
    for (let passed = Number(times[0]); passed <= rank; passed += Number(times[index])) index += 1;
    return Number(sorted[index]);
  };
  return (valueAt((sorted.length - 1) >> 1) + valueAt(sorted.length >> 1)) / 2;
}

/** The percentile limits (Efron & Tibshirani 1993, section 13.3) of what `take` gives in each resample, outwards. */
function percentiles({ resamples, confidence }: Resampling, take: () => number): { low: number; high: number } {
  const sorted = ascending(Array.from({ length: resamples }, take));
  const skipped = Math.floor((resamples * (1 - confidence)) / 2);
  return { low: Number(sorted[skipped]), high: Number(sorted[resamples - 1 - skipped]) };
}

/**
 * Ratio of the medians of a and b, both positive, with the percentile bootstrap interval (Efron 1979, Annals of Statistics
 * 7:1), each arm drawn by itself. Pure: draws come from the seed. The order of the values does not matter.
 * @throws RangeError for an empty arm, values that are not positive and finite, or options out of range
 */
export function bootstrapRatio(a: readonly number[], b: readonly number[], options: BootstrapOptions = {}): RatioInterval {
  assertPositive(a);
  assertPositive(b);
  const plan = resampling(options);
  const [left, right] = [ascending(a), ascending(b)];
  const ratio = medianOfSorted(left) / medianOfSorted(right);
  if (Math.min(a.length, b.length) < LEAST_VALUES) return { ratio, low: 0, high: Infinity };
  return { ratio, ...percentiles(plan, () => resampledMedian(left, plan.draw) / resampledMedian(right, plan.draw)) };
}

/** Limits of the median that hold whatever the distribution: the values at the ranks of a sign test (Thompson 1936). */
function signLimits(sorted: Float64Array, confidence: number): { low: number; high: number } {
  let outside = 0;
  while (binomialAtMost(outside, sorted.length, 0.5) <= (1 - confidence) / 2) outside += 1;
  return { low: sorted[outside - 1] ?? -Infinity, high: sorted[sorted.length - outside] ?? Infinity };
}

/**
 * Ratio a/b of an interleaved ABAB series: the geometric median of the pairs' ratios (median of their logarithms), with an
 * interval over pairs, so that a drift of the machine that both halves of a pair share cancels out. Limits are those of the
 * percentile bootstrap, or of the sign test where that is wider: the bootstrap of a median alone holds the truth of seven pairs
 * in 88 % instead of 95 %. No limits for fewer than 6 pairs at 95 %.
 * @throws RangeError for no pairs, values that are not positive and finite, or options out of range
 */
export function pairedRatio(pairs: readonly Pair[], options: BootstrapOptions = {}): RatioInterval {
  assertPositive(pairs.flatMap(({ a, b }) => [a, b]));
  const plan = resampling(options);
  const logs = ascending(pairs.map(({ a, b }) => Math.log(a) - Math.log(b)));
  const sign = signLimits(logs, plan.confidence);
  const { low, high } = percentiles(plan, () => resampledMedian(logs, plan.draw));
  return { ratio: Math.exp(medianOfSorted(logs)), low: Math.exp(Math.min(low, sign.low)), high: Math.exp(Math.max(high, sign.high)) };
}
