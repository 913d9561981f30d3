import { typeName, type FacetResult, type Verdict } from '@reenact/domain';
import { showsAll } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { liveFacets } from '../verification/live-facets.js';
import { DETERMINISTIC_TRIALS } from '../verification/trial-plan.js';
import type { ControlOutcome, ShownArm } from './control-results.js';
import type { JudgeInput } from './judge-input.js';

export interface DepthInput {
  input: JudgeInput;
  facets: FacetResult[];
  candidates: JudgedTrial[];
  shownArm: ShownArm | null;
  controls: ControlOutcome[];
}

/** Another failure whose type the claim names. */
function isSameFamily({ input, candidates }: DepthInput): boolean {
  const claimed = liveFacets(input.facets, input.notLive).flatMap((facet) =>
    facet.oracles.flatMap((oracle) => (oracle.kind === 'exception' || oracle.kind === 'import' ? oracle.types : [])),
  );
  const seen = candidates.flatMap((trial) => (trial.facts?.failure ? [typeName(trial.facts.failure.type)] : []));
  return seen.some((type) => claimed.map(typeName).includes(type));
}

/** Whether a trial ran the subject's code to where a facet could be decided. */
function reachedPhase({ facets, candidates }: DepthInput): boolean {
  const ranSubject = candidates.some((trial) => (trial.facts?.subjectFiles.length ?? 0) > 0);
  return ranSubject && facets.some((facet) => facet.live && facet.state !== 'undecided' && facet.state !== 'collision');
}

/** L6 asks for a fix or a good version; a trigger or a proposed function is a control, and no fail→pass. */
function isFailToPass(control: ControlOutcome): boolean {
  const { arm, state } = control.result;
  return state === 'absent' && control.isFull && (arm === 'fixed' || arm === 'good');
}

/** How far the series came (verdict.md section 5); L7 belongs to minimiser and bisection. */
export function depthOf(input: DepthInput): Verdict['depth'] {
  if (input.candidates.length === 0) return 'L0';
  const live = liveFacets(input.input.facets, input.input.notLive);
  const shown = input.shownArm ? input.candidates.filter((trial) => showsAll(trial, input.shownArm?.facets ?? [])).length : 0;
  const isWhole = live.length > 0 && input.facets.every((facet) => !facet.live || facet.state === 'shown');
  if (isWhole && shown > 0 && input.candidates.length >= DETERMINISTIC_TRIALS) {
    return input.controls.some(isFailToPass) ? 'L6' : 'L5';
  }
  if (shown > 0) return 'L4';
  if (isSameFamily(input)) return 'L3';
  return reachedPhase(input) ? 'L2' : 'L1';
}
