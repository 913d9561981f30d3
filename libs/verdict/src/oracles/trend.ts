import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { doesNotFall } from '../statistics/equivalence.js';
import { ascending, medianOfSorted } from '../statistics/median.js';
import { theilSen } from '../statistics/theil-sen.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer, type TrialGrounding, unboundAnswer } from './oracle-answer.js';
import { namedSeries, rssSeries, type Series, type SeriesPoint } from './series.js';

type TrendOracle = OracleOf<'trend'>;
type State = 'shown' | 'absent' | 'undecided';

const LEAST_POINTS = 8;
/** verdict.md section 4: a leak is 1 % of the start in 100 steps; over time 5 % in the whole series. */
const LEAST_GROWTH_SHARE = 0.01;
const LEAST_GROWTH_STEPS = 100;
const LEAST_RSS_SHARE = 0.05;
/** A series that moved by more than half of its size before it came to rest is a training that converged, not one that stands still. */
const CONVERGED_SHARE = 0.5;

function mirrored(points: readonly SeriesPoint[]): SeriesPoint[] {
  return points.map((point) => ({ ...point, y: -point.y }));
}

/** The interval of the slope wholly above 0: it rises. No rise beyond the bound is compatible with the data: it does not. */
function rises(points: readonly SeriesPoint[], boundShare: number): State {
  const trend = theilSen(points);
  if (!trend) return 'undecided';
  if (trend.low > 0) return 'shown';
  return trend.high <= 0 || doesNotFall(mirrored(points), { boundShare }) === true ? 'absent' : 'undecided';
}

/** Whether the series fell far from its very first value to the level that the rest is at: within the warm-up, which the slope leaves out. */
function fellBefore(start: number, points: readonly SeriesPoint[]): boolean {
  const level = medianOfSorted(ascending(points.map(({ y }) => y)));
  return start - level > CONVERGED_SHARE * Math.max(Math.abs(start), Math.abs(level));
}

function doesNotSink(start: number, points: readonly SeriesPoint[], boundShare: number): State {
  const stays = doesNotFall(points, { boundShare });
  if (stays === null) return 'undecided';
  return stays && !fellBefore(start, points) ? 'shown' : 'absent';
}

/** Least slope of memory that counts as a leak, or null where the series does not start above zero. */
function leastGrowth(oracle: TrendOracle, points: readonly SeriesPoint[]): number | null {
  const trend = theilSen(points);
  const first = points[0]?.x ?? 0;
  const start = trend ? trend.intercept + trend.slope * first : 0;
  if (start <= 0) return null;
  const range = (points.at(-1)?.x ?? first) - first;
  return oracle.of === 'rss' ? (LEAST_RSS_SHARE * start) / range : (LEAST_GROWTH_SHARE * start) / LEAST_GROWTH_STEPS;
}

/** Growth that stops is a cache: the second half by itself must rise as fast as a leak does. */
function leaks(oracle: TrendOracle, points: readonly SeriesPoint[]): State {
  const least = leastGrowth(oracle, points);
  if (least === null) return 'undecided';
  const states = [points, points.slice(Math.floor(points.length / 2))].map((part): State => {
    const trend = theilSen(part);
    if (!trend) return 'undecided';
    if (trend.low > 0 && trend.slope >= least) return 'shown';
    return trend.high < least ? 'absent' : 'undecided';
  });
  return states.includes('absent') ? 'absent' : states.includes('undecided') ? 'undecided' : 'shown';
}

function judge(oracle: TrendOracle, start: number, points: readonly SeriesPoint[]): State {
  switch (oracle.direction) {
    case 'rises':
      return oracle.memory || oracle.of === 'rss' ? leaks(oracle, points) : rises(points, oracle.boundShare);
    case 'falls':
      return rises(mirrored(points), oracle.boundShare);
    case 'does-not-fall':
      return doesNotSink(start, points, oracle.boundShare);
    case 'does-not-rise':
      return doesNotSink(-start, mirrored(points), oracle.boundShare);
  }
}

function groundingOf(points: readonly SeriesPoint[]): TrialGrounding[] {
  const ends = [points[0], points[Math.floor(points.length / 2)], points.at(-1)].filter((point) => point !== undefined);
  return [...new Set(ends)].map((point) => groundedIn(point.seq, point.text));
}

function describe(points: readonly SeriesPoint[]): string {
  const trend = theilSen(points);
  if (!trend) return 'the points have no slope';
  const [slope, low, high] = [trend.slope, trend.low, trend.high].map((number) => number.toPrecision(3));
  return `slope ${slope ?? ''} (95 %: ${low ?? ''} to ${high ?? ''}) over ${points.length} points`;
}

/** Memory that climbs until our memory limit ends the trial is the symptom itself; any other cut leaves the end unknown. */
function standsWhenCut(oracle: TrendOracle, state: State, view: EvidenceView): boolean {
  return view.cutBy === 'memory-limit' && oracle.direction === 'rises' && (oracle.memory || oracle.of === 'rss') && state === 'shown';
}

/** Shown when the slope of a series has the claimed direction beyond what its scatter allows for (Theil–Sen interval, 95 %). */
export function evaluateTrend(oracle: TrendOracle, view: EvidenceView): OracleAnswer {
  if (oracle.of === 'value' && oracle.name === undefined) return unboundAnswer(oracle);
  const series: Series = oracle.of === 'rss' ? rssSeries(view) : namedSeries(oracle.name ?? '', oracle.where, view);
  const what = oracle.of === 'rss' ? 'resident memory' : (oracle.name ?? '');
  if (series.points.length === 0) return withoutSignal(view, answer('undecided', [], `${what} was never observed or printed`));
  if (series.problem !== null) return answer('undecided', groundingOf(series.points), series.problem);
  const points = series.points.slice(Math.floor(series.points.length * oracle.warmUpShare));
  const grounding = groundingOf(points);
  if (points.length < LEAST_POINTS)
    return withoutSignal(view, answer('undecided', grounding, `${points.length} of at least ${LEAST_POINTS} values after the warm-up`));
  const state = judge(oracle, series.points[0]?.y ?? 0, points);
  if (wasCut(view) && !standsWhenCut(oracle, state, view))
    return answer('undecided', grounding, `${cutNote(view)} before the series was whole`);
  return answer(state, grounding, describe(points));
}
