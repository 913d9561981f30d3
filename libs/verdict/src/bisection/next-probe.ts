import type { BisectionState, BisectionStatus, BisectionStep, CulpritGroup, ProbePhase } from '@reenact/domain';
import { runsNeeded } from '../statistics/misses.js';
import { chanceShown, culpritPosterior, likeliestGroup } from './posterior.js';

const NAMED = 0.5;
const SURE = 0.9;
/** The search goes on until the culprit is that probable. */
const GOAL = 0.95;
const VALIDATED_POINTS = 2;
/** Trials of a point that are less probable than this under the culprit contradict it. */
const IMPROBABLE = 0.01;

/**
 * Which point to try next: first the ends, then where a trial tells most about the first bad point (greatest expected information,
 * Waeber, Frazier & Henderson 2013), then two more points on either side of the culprit as a check of the whole picture.
 */
export function nextProbe(state: BisectionState): BisectionStep {
  const bad = endState(state, state.points - 1);
  if (bad === 'skip') return conclude(state, 'end-not-runnable');
  if (bad === 'absent') return conclude(state, 'bad-end-absent');
  if (bad === 'open') return probe(state, state.points - 1, 'ends');
  const good = endState(state, 0);
  if (good === 'skip') return conclude(state, 'end-not-runnable');
  if (good === 'shown') return conclude(state, 'good-end-shows');
  if (good === 'open') return probe(state, 0, 'ends');

  const skipped = new Set(state.results.filter((result) => result.state === 'skip').map((result) => result.point));
  const posterior = culpritPosterior(state.points, state.rates, state.results);
  const group = likeliestGroup(posterior, skipped);
  if (group.probability < GOAL) {
    const point = mostTelling(state, posterior, skipped);
    return point === null ? conclude(state) : probe(state, point, 'search');
  }
  const check = pointToValidate(state, group, skipped);
  return check === null ? conclude(state) : probe(state, check, 'validate');
}

function probe(state: BisectionState, point: number, phase: ProbePhase): BisectionStep {
  return state.results.length >= state.maxTrials ? conclude(state) : { done: false, point, phase };
}

function conclude(state: BisectionState, failed?: BisectionStatus): BisectionStep {
  const trials = state.results.length;
  if (failed !== undefined) return { done: true, conclusion: { status: failed, culprit: null, contradictions: [], trials } };
  const skipped = new Set(state.results.filter((result) => result.state === 'skip').map((result) => result.point));
  const group = likeliestGroup(culpritPosterior(state.points, state.rates, state.results), skipped);
  const contradictions = contradicting(state, group);
  return {
    done: true,
    conclusion: {
      status: group.probability >= SURE && contradictions.length === 0 ? 'found' : 'uncertain',
      culprit: group.probability >= NAMED ? group : null,
      contradictions,
      trials,
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

/** An end is shown at its first shown trial, and absent after as many absent ones as leave a miss of at most 5 %. */
function endState(state: BisectionState, point: number): 'shown' | 'absent' | 'skip' | 'open' {
  const own = state.results.filter((result) => result.point === point).map((result) => result.state);
  if (own.includes('skip')) return 'skip';
  if (own.includes('shown')) return 'shown';
  return own.length >= runsNeeded(state.rates.shown) ? 'absent' : 'open';
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
  const validated = new Set(state.results.filter((result) => result.phase === 'validate').map((result) => result.point));
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
