import type { Facet, FacetResult, Finding, VerdictState } from '@reenact/domain';
import { rateOf } from '../statistics/intervals.js';
import { showsAll, showsAny } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isCheckable, liveFacets } from '../verification/live-facets.js';
import { hasOneSignature } from '../verification/one-signature.js';
import { controlFindings } from './control-findings.js';
import { controlOutcomes, type ControlOutcome, type ShownArm } from './control-results.js';
import { decideVerdict, type Decision } from './decide-verdict.js';
import { depthOf } from './depth.js';
import { facetResults } from './facet-results.js';
import { gradeOf } from './grade.js';
import type { JudgeInput, Judgement } from './judge-input.js';
import { tripwireOutcome, type TripwireOutcome } from './tripwire-outcome.js';
import { verdictClauses, verdictSentence } from './verdict-sentence.js';

/** The arm that shows the signal: the whole claim where some trial shows that, else the part of it that was seen. */
function findShownArm(facets: Facet[], trials: JudgedTrial[], expectedRate: number): ShownArm | null {
  const whole = trials.find((trial) => showsAll(trial, facets));
  const part = facets.filter((facet) => trials.some((trial) => showsAny(trial, [facet])));
  const reference = whole ?? trials.find((trial) => showsAny(trial, part));
  if (!reference) return null;
  const shownFacets = whole ? facets : part;
  return { facets: shownFacets, trials, reference, needsNoTest: hasOneSignature(shownFacets, trials, expectedRate) };
}

/** A facet that the control or the tripwire shows as well is no evidence of the fault. */
function weighFacets(facets: FacetResult[], controls: readonly ControlOutcome[], tripwire: TripwireOutcome): FacetResult[] {
  const byControl = new Set(controls.flatMap((control) => control.alsoShown));
  const byTripwire = new Set(tripwire.alsoShown);
  return facets.map((facet) => {
    if (facet.state !== 'shown') return facet;
    if (byControl.has(facet.id)) return { ...facet, state: 'undecided', note: 'a control shows it too' };
    if (byTripwire.has(facet.id)) return { ...facet, state: 'undecided', note: 'it stays although the suspected functions raise' };
    return facet;
  });
}

/** Verdict for a series that never gave anything to judge, or null. More infrastructure failures than the rest: no decision. */
function withoutTrials(input: JudgeInput): { verdict: VerdictState; detail?: string } | null {
  if (input.trials.some((trial) => trial.outcome === 'cancelled')) return { verdict: 'cancelled' };
  const infra = input.trials.filter((trial) => trial.outcome === 'infra');
  const finished = input.trials.filter((trial) => trial.outcome === 'finished');
  const candidates = finished.filter((trial) => trial.arm === 'candidate');
  if (infra.length > 0 && (candidates.length === 0 || infra.length > finished.length))
    return { verdict: 'infra_error', detail: infra[0]?.infraReason ?? 'the trials did not finish' };
  return candidates.length === 0 ? { verdict: 'inconclusive', detail: 'no trial was run' } : null;
}

function allFindings(input: JudgeInput, shownArm: ShownArm | null, tripwire: TripwireOutcome): Finding[] {
  return [...input.findings, ...tripwire.findings, ...controlFindings(input, shownArm, tripwire)];
}

/**
 * Folds the finished trials of one bundle into a verdict (verdict.md sections 5 to 7). Pure; infrastructure failures never
 * count, neither for nor against.
 */
export function judge(input: JudgeInput): Judgement {
  const candidates = input.trials.filter((trial) => trial.arm === 'candidate' && trial.outcome === 'finished');
  const live = liveFacets(input.facets, input.notLive);
  const checkable = live.filter(isCheckable);
  const shownArm = findShownArm(checkable, candidates, input.expectedRate);
  const controls = controlOutcomes(input, shownArm);
  const tripwire = tripwireOutcome(
    input,
    shownArm,
    controls.some((control) => control.result.state === 'absent'),
  );
  const facets = weighFacets(facetResults(input, candidates), controls, tripwire);
  const rate = rateOf(candidates.filter((trial) => showsAll(trial, checkable)).length, candidates.length);
  const { grade, reason: gradeReason } = gradeOf(input, candidates);
  const findings = allFindings(input, shownArm, tripwire);
  const empty = withoutTrials(input);
  const decision: Decision = empty
    ? {
        verdict: empty.verdict,
        reason: empty.verdict === 'inconclusive' ? 'no-trial' : null,
        ...(empty.detail === undefined ? {} : { detail: empty.detail }),
      }
    : decideVerdict({ input, live, facets, rate, candidates, shownArm, controls, tripwire, grade, gradeReason, findings });
  const depth = depthOf({ input, facets, candidates, shownArm, controls });
  const results = [...controls.map((control) => control.result), ...(tripwire.result ? [tripwire.result] : [])];
  const { verdict, reason, detail } = decision;
  const told = { candidates: candidates.map(({ trial }) => trial), expectedRate: input.expectedRate };
  const parts = { verdict, rate, grade, depth, facets, controls: results, findings, reason, ...told };
  const clauses = verdictClauses(detail === undefined ? parts : { ...parts, detail });
  return { ...parts, sentence: verdictSentence(clauses), clauses, gradeReason, trials: input.trials.length };
}
