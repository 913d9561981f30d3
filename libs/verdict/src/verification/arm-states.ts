import type { Facet } from '@reenact/domain';
import { readsValues } from './live-facets.js';
import type { JudgedFacet, JudgedTrial, TrialFacts } from './judged-trial.js';

/** What a control or tripwire trial says about one facet. */
export type ControlState = 'shown' | 'absent' | 'undecided';

export interface ControlFacetState {
  state: ControlState;
  note: string;
}

/** Least share of the candidate's subject files that a control must have loaded as well; a fix may move some. */
const LEAST_SHARED_FILES = 0.5;

/** The trial's answer about one facet. */
export function facetOf(trial: JudgedTrial, id: string): JudgedFacet | undefined {
  return trial.facets.find((facet) => facet.id === id);
}

/** Whether the trial shows every one of these facets; false for none. */
export function showsAll(trial: JudgedTrial, facets: readonly Facet[]): boolean {
  return facets.length > 0 && facets.every((facet) => facetOf(trial, facet.id)?.state === 'shown');
}

/** Whether the trial shows at least one of these facets. */
export function showsAny(trial: JudgedTrial, facets: readonly Facet[]): boolean {
  return facets.some((facet) => facetOf(trial, facet.id)?.state === 'shown');
}

function sharesSubject(control: TrialFacts, candidate: TrialFacts): boolean {
  if (candidate.subjectFiles.length === 0) return true;
  const shared = candidate.subjectFiles.filter((file) => control.subjectFiles.includes(file)).length;
  return shared / candidate.subjectFiles.length >= LEAST_SHARED_FILES;
}

/**
 * Why the control says nothing, or null where it came as far as the candidate. An error before the point and then no
 * symptom is error→pass, not fail→pass (verdict.md section 6).
 */
function obstacle(control: TrialFacts | null, candidate: TrialFacts | null, facet: Facet): string | null {
  if (!control || !candidate) return 'the evidence of the trial is missing';
  if (control.cutBy !== null) return `the control was ended: ${control.cutBy}`;
  if (isOtherFailure(control, candidate, facet)) return `the control failed in another way: ${control.failure?.signature ?? ''}`;
  if (!sharesSubject(control, candidate)) return 'the control did not load the code that the candidate ran';
  // A value is absent only where it was observed, so that the control came as far by definition.
  if (readsValues(facet)) return null;
  const observedAll =
    candidate.observationNames.length > 0 && candidate.observationNames.every((name) => control.observationNames.includes(name));
  const endedWell = control.exitCodes.length > 0 && control.exitCodes.every((code) => code === 0);
  return endedWell || observedAll ? null : 'the control ended in error without any exception that tells why';
}

/** A script that has observed its value may well end by an assertion that the fault is not there. */
function isOtherFailure(control: TrialFacts, candidate: TrialFacts, facet: Facet): boolean {
  if (!control.failure || control.failure.signature === candidate.failure?.signature) return false;
  return !(readsValues(facet) && control.failure.raisedIn === 'script');
}

/** What a control trial says about one facet, seen beside a candidate trial that shows it. */
export function controlFacetState(facet: Facet, control: JudgedTrial, candidate: JudgedTrial): ControlFacetState {
  const judged = facetOf(control, facet.id);
  if (judged?.state === 'shown') return { state: 'shown', note: 'the control shows it too' };
  if (judged?.state !== 'absent') return { state: 'undecided', note: judged?.note ?? 'undecided in the control' };
  const why = obstacle(control.facts, candidate.facts, facet);
  return why === null ? { state: 'absent', note: '' } : { state: 'undecided', note: why };
}

/** What a control trial says about the claim as a whole: shown where every facet is, absent where none is open and one is absent. */
export function controlTrialState(facets: readonly Facet[], control: JudgedTrial, candidate: JudgedTrial): ControlFacetState {
  const states = facets.map((facet) => controlFacetState(facet, control, candidate));
  if (states.length > 0 && states.every((one) => one.state === 'shown'))
    return { state: 'shown', note: 'the control shows the signal too' };
  const open = states.find((one) => one.state === 'undecided');
  if (open) return open;
  return states.some((one) => one.state === 'absent') ? { state: 'absent', note: '' } : { state: 'undecided', note: 'nothing to compare' };
}

/** A tripwire holds when its sentinel came up and the signal did not; else it tells which of the two went wrong. */
export type TripwireState = 'holds' | 'never-tripped' | 'signal-stays';

/** Reads one tripwire trial. The signal stays where every facet is still shown. */
export function tripwireTrialState(facets: readonly Facet[], trial: JudgedTrial): TripwireState {
  if (trial.sentinelSeen !== true) return 'never-tripped';
  return showsAll(trial, facets) ? 'signal-stays' : 'holds';
}
