import type { Facet, Lever, LeverKind, TrialPlan } from '@reenact/domain';
import { showsAny } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { EXPLORED_SEEDS, LOAD, ONE_THREAD } from './lever-contrast.js';
import { trialsUnder } from './levers.js';

/** Trials of each lever in a search. A fixed seed does the same again; the others may still leave it to chance. */
const SEARCH: readonly { lever: Lever; trials: number }[] = [
  ...EXPLORED_SEEDS.map((value) => ({ lever: { kind: 'hash-seed' as const, value }, trials: 1 })),
  { lever: ONE_THREAD, trials: 2 },
  { lever: LOAD, trials: 5 },
];

/** Levers that a search tries: the significance of what it finds is divided by them. */
export const SEARCHED_LEVERS = SEARCH.length;

/** Trials that look for a lever under which a symptom comes that does not come without; empty = all were run. */
export function wantedSearch(trials: readonly JudgedTrial[], levers: readonly LeverKind[]): TrialPlan[] {
  return SEARCH.filter(({ lever }) => levers.includes(lever.kind)).flatMap(({ lever, trials: count }) => {
    const done = trialsUnder(trials, lever).filter(({ arm }) => arm === 'candidate').length;
    return Array.from({ length: Math.max(0, count - done) }, (_unused, offset) => ({
      arm: 'candidate' as const,
      index: done + offset,
      lever,
    }));
  });
}

/** The first lever of a search under which the symptom came, or null. */
export function foundLever(trials: readonly JudgedTrial[], facets: readonly Facet[]): Lever | null {
  const shows = (lever: Lever) =>
    trialsUnder(trials, lever).some((trial) => trial.arm === 'candidate' && trial.outcome === 'finished' && showsAny(trial, facets));
  return SEARCH.find(({ lever }) => shows(lever))?.lever ?? null;
}
