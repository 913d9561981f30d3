import type { Facet, FacetResult, FacetState } from '@reenact/domain';
import { rateOf } from '../statistics/intervals.js';
import { MISS_BOUND, missProbability } from '../statistics/misses.js';
import { facetOf } from '../verification/arm-states.js';
import type { JudgedFacet, JudgedTrial } from '../verification/judged-trial.js';
import { isCheckable, liveFacets } from '../verification/live-facets.js';
import { UNSTABLE_SHARE, UNSTABLE_TRIALS } from '../statistics/unstable-rate.js';
import type { JudgeInput } from './judge-input.js';
import { roundedRate } from './verdict-sentence.js';

const GROUNDED_TRIALS = 3;

interface SeenFacet extends JudgedFacet {
  trial: string;
}

function stateWithShown(shown: number, total: number): { state: FacetState; note?: string } {
  if (2 * shown >= total) return { state: 'shown' };
  if (total >= UNSTABLE_TRIALS && shown / total >= UNSTABLE_SHARE) return { state: 'shown', note: `only in ${shown} of ${total} trials` };
  return { state: 'undecided', note: `seen in ${shown} of ${total} trials, which is too few to tell` };
}

function firstNote(seen: readonly SeenFacet[], state: FacetState): string | undefined {
  return seen.find((one) => one.state === state && one.note !== undefined)?.note;
}

function withNote(state: FacetState, note: string | undefined): { state: FacetState; note?: string } {
  return note === undefined ? { state } : { state, note };
}

function stateWithoutShown(seen: readonly SeenFacet[], expectedRate: number): { state: FacetState; note?: string } {
  if (seen.some((one) => one.state === 'collision')) return withNote('collision', firstNote(seen, 'collision'));
  const absent = seen.filter((one) => one.state === 'absent').length;
  if (absent === 0) return withNote('undecided', firstNote(seen, 'undecided') ?? 'no trial decides it');
  const miss = missProbability(expectedRate, absent);
  if (miss > MISS_BOUND)
    return {
      state: 'undecided',
      note: `absent in ${absent} trials, which a rate of ${roundedRate(expectedRate)} misses with probability ${miss.toFixed(2)}`,
    };
  return withNote('absent', firstNote(seen, 'absent'));
}

function resultOf(
  facet: Facet,
  trials: readonly JudgedTrial[],
  expectedRate: number,
): Pick<FacetResult, 'state' | 'rate' | 'grounding' | 'note'> {
  const seen = trials.flatMap((trial): SeenFacet[] => {
    const judged = facetOf(trial, facet.id);
    return judged ? [{ ...judged, trial: trial.trial }] : [];
  });
  const shown = seen.filter((one) => one.state === 'shown');
  const telling = shown.length > 0 ? shown : seen;
  const grounding = telling.slice(0, GROUNDED_TRIALS).flatMap((one) => one.grounding.map((ground) => ({ trial: one.trial, ...ground })));
  const rate = rateOf(shown.length, seen.length);
  if (!isCheckable(facet))
    return { state: 'undecided', rate, grounding, note: facet.note ?? firstNote(seen, 'undecided') ?? 'no check is bound to this symptom' };
  const decided = shown.length > 0 ? stateWithShown(shown.length, seen.length) : stateWithoutShown(seen, expectedRate);
  return { ...decided, rate, grounding };
}

/** The answer about every facet over the trials of the candidate arm, the live ones marked. */
export function facetResults(input: JudgeInput, candidates: readonly JudgedTrial[]): FacetResult[] {
  const live = new Set(liveFacets(input.facets, input.notLive).map((facet) => facet.id));
  return input.facets.map((facet) => ({
    id: facet.id,
    statement: facet.statement,
    live: live.has(facet.id),
    shownBy: facet.shownBy,
    ...resultOf(facet, candidates, input.expectedRate),
  }));
}
