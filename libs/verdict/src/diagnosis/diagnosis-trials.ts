import type { Facet, FacetResult, Trial, TrialPlan } from '@reenact/domain';
import { explainingParts } from './probe-parts.js';

/** A trial that took longer is not run once more only to explain it. */
const LONGEST_SECONDS = 600;

export interface DiagnosisInput {
  facets: readonly Facet[];
  /** The answers so far. */
  results: readonly FacetResult[];
  /** Whether the report speaks of a GPU: without one there is no allocator to look at. */
  hasAccelerator: boolean;
  /** All trials that were run for the bundle. */
  trials: readonly Pick<Trial, 'arm' | 'outcome' | 'seconds'>[];
}

/** Facets that came out in a way that is worth an explanation: the symptom, or another failure in its place. */
function seenFacets({ facets, results }: DiagnosisInput): Facet[] {
  const seen = new Set(results.filter(({ state, rate }) => state === 'collision' || rate.shown > 0).map(({ id }) => id));
  return facets.filter(({ id }) => seen.has(id));
}

/** The trials that may explain what the judged ones showed; empty once they were run. They decide nothing. */
export function diagnosisTrials(input: DiagnosisInput): TrialPlan[] {
  const parts = explainingParts(seenFacets(input)).filter((part) => part !== 'allocator' || input.hasAccelerator);
  if (input.trials.some(({ arm }) => arm === 'diagnosis') || parts.length === 0) return [];
  const candidates = input.trials.filter(({ arm, outcome }) => arm === 'candidate' && outcome === 'finished');
  if (candidates.length === 0 || candidates.some(({ seconds }) => seconds > LONGEST_SECONDS)) return [];
  return [{ arm: 'diagnosis', index: 0 }];
}
