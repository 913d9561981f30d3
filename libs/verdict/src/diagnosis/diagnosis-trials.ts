import type { Arm, EvidenceRecord, Facet, FacetResult, ProbePart, Trial, TrialPlan } from '@reenact/domain';
import { explainingParts } from './probe-parts.js';
import { recordsOf } from './trial-explanation.js';

/** A trial that took longer is not run once more only to explain it. */
const LONGEST_SECONDS = 600;
/** Parts that see nothing without torch. */
const OF_TORCH: ReadonlySet<ProbePart> = new Set(['numeric', 'collectives', 'parameters', 'rows', 'allocator', 'outputs']);
/** Controls that run the same script on another tree or in another environment, the best first. */
const COMPARED: readonly Arm[] = ['fixed', 'good', 'sabotage'];

/** A diagnosis of the candidate: the first says what is to be said, the second whether it would say so again. */
export const CANDIDATE = 0;
export const AGAIN = 1;
export const CONTROL = 2;

export interface DiagnosisInput {
  facets: readonly Facet[];
  /** The answers so far. */
  results: readonly FacetResult[];
  /** Whether the report speaks of a GPU: without one there is no allocator to look at. */
  hasAccelerator: boolean;
  /** All trials that were run for the bundle. */
  trials: readonly { trial: Pick<Trial, 'arm' | 'index' | 'outcome' | 'seconds'>; records: readonly EvidenceRecord[] }[];
}

/** Facets that came out in a way that is worth an explanation: the symptom, or another failure in its place. */
function seenFacets({ facets, results }: DiagnosisInput): Facet[] {
  const seen = new Set(results.filter(({ state, rate }) => state === 'collision' || rate.shown > 0).map(({ id }) => id));
  return facets.filter(({ id }) => seen.has(id));
}

function usableParts(input: DiagnosisInput): ProbePart[] {
  const environments = input.trials.flatMap(({ records }) => recordsOf(records, 'environment'));
  const hasTorch = environments.some(({ distributions }) => distributions.some(({ name }) => name.toLowerCase() === 'torch'));
  return explainingParts(seenFacets(input)).filter(
    (part) => (part !== 'allocator' || input.hasAccelerator) && (hasTorch || !OF_TORCH.has(part)),
  );
}

/** Once the candidate's modules were seen: the same again, and the control beside it. */
function comparison({ trials }: DiagnosisInput): TrialPlan[] {
  const diagnoses = trials.filter(({ trial }) => trial.arm === 'diagnosis');
  const seen = diagnoses.some(({ trial, records }) => trial.index === CANDIDATE && recordsOf(records, 'activation').length > 0);
  const of = COMPARED.find((arm) => trials.some(({ trial }) => trial.arm === arm && trial.outcome === 'finished'));
  if (!seen || of === undefined || diagnoses.length > 1) return [];
  return [
    { arm: 'diagnosis', index: AGAIN },
    { arm: 'diagnosis', index: CONTROL, of },
  ];
}

/** The trials that may explain what the judged ones showed; empty once they were run. They decide nothing. */
export function diagnosisTrials(input: DiagnosisInput): TrialPlan[] {
  if (input.trials.some(({ trial }) => trial.arm === 'diagnosis')) return comparison(input);
  const candidates = input.trials.map(({ trial }) => trial).filter(({ arm, outcome }) => arm === 'candidate' && outcome === 'finished');
  if (candidates.length === 0 || candidates.some(({ seconds }) => seconds > LONGEST_SECONDS)) return [];
  return usableParts(input).length === 0 ? [] : [{ arm: 'diagnosis', index: CANDIDATE }];
}
