import type { Facet, ProbeResult } from '@reenact/domain';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isCheckable, liveFacets } from '../verification/live-facets.js';

/**
 * What one trial says about its point. Shown when every live facet is; absent when nothing but absent facets stands against it.
 * Another failure or an open oracle says nothing about the fault, so the point counts as one that cannot be tried.
 */
export function probeState(trial: JudgedTrial, facets: readonly Facet[]): Pick<ProbeResult, 'state' | 'reason'> {
  if (trial.outcome !== 'finished') return { state: 'skip', reason: trial.infraReason ?? trial.outcome };
  const live = new Set(
    liveFacets(facets, [])
      .filter(isCheckable)
      .map((facet) => facet.id),
  );
  const answers = trial.facets.filter((facet) => live.has(facet.id));
  if (answers.length === 0) return { state: 'skip', reason: 'no check is bound to the symptom' };
  const open = answers.find((facet) => facet.state === 'collision' || facet.state === 'undecided');
  if (open !== undefined) return { state: 'skip', reason: open.note ?? open.state };
  return { state: answers.every((facet) => facet.state === 'shown') ? 'shown' : 'absent' };
}
