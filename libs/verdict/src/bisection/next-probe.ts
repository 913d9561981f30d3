import type { BisectionState, BisectionStatus, BisectionStep, CulpritGroup, ProbePhase } from '@reenact/domain';
import { runsNeeded } from '../statistics/misses.js';
import { chanceShown, culpritPosterior, likeliestGroup } from './posterior.js';

const NAMED = 0.5;
const SURE = 0.9;
/** The search goes on until the culprit is that probable. */
const GOAL = 0.97;
const VALIDATED_POINTS = 2;
const BAD_END_TRIALS = 5;
/** Shown trials at the good end that say that it has the fault. */
const FALSE_ALARMS = 2;
/** Trials of a point that are less probable than this under the culprit contradict it. */
const IMPROBABLE = 0.01;

/**
 * Which point to try next: first the ends, then where a trial tells most about the first bad point (greatest expected information,
 * Waeber, Frazier & Henderson 2013), then the point before the culprit until chance does not explain its silence, then two more points on
 * either side as a check of the whole picture.
 */
export function nextProbe(given: BisectionState): BisectionStep {
  const state = { ...given, rates: { ...given.rates, shown: measuredRate(given) } };
  const last = state.points - 1;
  const bad = badEnd(state);
  if (bad === 'skip') return failed(state, 'end-not-runnable');
  if (bad === 'absent') return failed(state, 'bad-end-absent');
  if (bad === 'open') return isSpent(state) ? failed(state, 'uncertain') : probe(last, 'ends');
  const good = goodEnd(state);
  if (good === 'skip') return failed(state, 'end-not-runnable');
  if (good === 'shown') return failed(state, 'good-end-shows');
  if (good === 'open') return isSpent(state) ? failed(state, 'uncertain') : probe(0, 'ends');

  const skipped = skippedPoints(state);
  const posterior = culpritPosterior(state.points, state.rates, state.results);
  const group = likeliestGroup(posterior, skipped);
  const next =
    group.probability < GOAL
      ? probeAt(mostTelling(state, posterior, skipped), 'search')
      : (probeAt(unsureNeighbour(state, group), 'search') ?? probeAt(pointToValidate(state, group, skipped), 'validate'));
  if (next === null) return conclude(state, true);
  return isSpent(state) ? conclude(state, false) : next;
}

/**
 * How often the fault shows where it is there: as claimed, or less where the points that show it also miss it.
 * A report that says "always" does not make it so.
 */
function measuredRate({ points, rates, results }: BisectionState): number {
  const has = new Set(results.filter(({ state }) => state === 'shown').map(({ point }) => point));
  const own = results.filter(({ point, state }) => state !== 'skip' && point !== 0 && (has.has(point) || point === points - 1));
  const shown = own.filter(({ state }) => state === 'shown').length;
  // Points that had no luck are not among them, so the share is a little too high: one more miss is counted.
  return shown === 0 || shown === own.length ? rates.shown : Math.min(rates.shown, shown / (own.length + 1));
}

/** Least rate that the trials at points with the fault allow for, by the rule of succession. */
function cautiousRate({ points, rates, results }: BisectionState, group: CulpritGroup): number {
  const own = results.filter(({ point, state }) => state !== 'skip' && (point >= group.last || point === points - 1));
  const shown = own.filter(({ state }) => state === 'shown').length;
  return Math.min(rates.shown, (shown + 1) / (own.length + 2));
}

/** The nearest point before the culprit that can be run, where it was not tried often enough to be clean. */
function unsureNeighbour(state: BisectionState, group: CulpritGroup): number | null {
  const skipped = skippedPoints(state);
  let before = group.first - 1;
  while (before > 0 && skipped.has(before)) before -= 1;
  const own = state.results.filter(({ point, state: said }) => point === before && said === 'absent').length;
  return own < runsNeeded(cautiousRate(state, group)) ? before : null;
}

function skippedPoints({ results }: BisectionState): Set<number> {
  return new Set(results.filter(({ state }) => state === 'skip').map(({ point }) => point));
}

function isSpent({ results, maxTrials }: BisectionState): boolean {
  return results.length >= maxTrials;
}

function probe(point: number, phase: ProbePhase): BisectionStep {
  return { done: false, point, phase };
}

function probeAt(point: number | null, phase: ProbePhase): BisectionStep | null {
  return point === null ? null : probe(point, phase);
}

function failed({ results }: BisectionState, status: BisectionStatus): BisectionStep {
  return { done: true, conclusion: { status, culprit: null, contradictions: [], trials: results.length } };
}

/** @param isChecked false where the trials ended before everything was tried that should have been. */
function conclude(state: BisectionState, isChecked: boolean): BisectionStep {
  const group = likeliestGroup(culpritPosterior(state.points, state.rates, state.results), skippedPoints(state));
  const contradictions = contradicting(state, group);
  const isFound = isChecked && group.probability >= SURE && contradictions.length === 0;
  return {
    done: true,
    conclusion: {
      status: isFound ? 'found' : 'uncertain',
      culprit: group.probability >= NAMED ? group : null,
      contradictions,
      trials: state.results.length,
    },
  };
}

/** Points before the culprit that show the fault, and points after it that never do, beyond what chance explains. */
function contradicting(state: BisectionState, group: CulpritGroup): number[] {
  const points = [...new Set(state.results.map((result) => result.point))].sort((a, b) => a - b);
  return points.filter((point) => {
    const own = state.results.filter((result) => result.point === point && result.state !== 'skip');
    const shown = own.filter((result) => result.state === 'shown').length;
    if (point < group.first) return shown > 0 && chanceShown(state.rates, false) ** shown < IMPROBABLE;
    return point > group.last && shown === 0 && own.length > 0 && (1 - chanceShown(state.rates, true)) ** own.length < IMPROBABLE;
  });
}

type EndState = 'shown' | 'absent' | 'skip' | 'open';

/** Tried some times even where it always shows, so that a rate below the claimed one is noticed before anything rests on it. */
function badEnd(state: BisectionState): EndState {
  const own = state.results.filter((result) => result.point === state.points - 1).map((result) => result.state);
  if (own.includes('skip')) return 'skip';
  if (own.includes('shown')) return own.length >= BAD_END_TRIALS ? 'shown' : 'open';
  return own.length >= runsNeeded(state.rates.shown) ? 'absent' : 'open';
}

/** Absent after as many clean trials as leave a miss of at most 5 %; one false alarm is not enough to give the search up. */
function goodEnd(state: BisectionState): EndState {
  const own = state.results.filter((result) => result.point === 0).map((result) => result.state);
  if (own.includes('skip')) return 'skip';
  const shown = own.filter((said) => said === 'shown').length;
  if (shown >= FALSE_ALARMS) return 'shown';
  return own.length - shown >= runsNeeded(state.rates.shown) + shown ? 'absent' : 'open';
}

/** The inner point whose trial tells most; null where none can be run. */
function mostTelling(state: BisectionState, posterior: readonly number[], skipped: ReadonlySet<number>): number | null {
  const [ifBad, ifGood] = [chanceShown(state.rates, true), chanceShown(state.rates, false)];
  let best: { point: number; gain: number } | null = null;
  let isBad = 0;
  for (let point = 1; point < state.points - 1; point += 1) {
    isBad += posterior[point] ?? 0;
    if (skipped.has(point)) continue;
    const shown = isBad * ifBad + (1 - isBad) * ifGood;
    const gain = entropy(shown) - isBad * entropy(ifBad) - (1 - isBad) * entropy(ifGood);
    if (best === null || gain > best.gain + 1e-12) best = { point, gain };
  }
  return best?.point ?? null;
}

/** Entropy of a yes-or-no outcome, in bits. */
function entropy(chance: number): number {
  if (chance <= 0 || chance >= 1) return 0;
  return -chance * Math.log2(chance) - (1 - chance) * Math.log2(1 - chance);
}

/** The next of the points that check the picture: as far from the culprit as from the end, on the side that has fewer. */
function pointToValidate(state: BisectionState, group: CulpritGroup, skipped: ReadonlySet<number>): number | null {
  const probed = new Set(state.results.map((result) => result.point));
  const validated = new Set(
    state.results.filter((result) => result.phase === 'validate' && result.state !== 'skip').map((result) => result.point),
  );
  const sides: [number, number][] = [
    [1, group.first - 1],
    [group.last + 1, state.points - 2],
  ];
  for (const [from, to] of sides) {
    const done = [...validated].filter((point) => point >= from && point <= to).length;
    if (done >= VALIDATED_POINTS) continue;
    const open = range(from, to).filter((point) => !probed.has(point) && !skipped.has(point));
    const middle = open[Math.floor(((done + 1) * open.length) / (VALIDATED_POINTS + 1))];
    if (middle !== undefined) return middle;
  }
  return null;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
