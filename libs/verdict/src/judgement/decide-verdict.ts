import type { Facet, FacetResult, Finding, Grade, Rate, VerdictState } from '@reenact/domain';
import { facetOf } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isCheckable, isMeasured } from '../verification/live-facets.js';
import { hasLooseSignature } from '../verification/loose-signature.js';
import { CHANCE_TRIALS, DETERMINISTIC_TRIALS } from '../verification/trial-plan.js';
import type { ControlOutcome, ShownArm } from './control-results.js';
import { UNSTABLE_SHARE, UNSTABLE_TRIALS } from '../statistics/unstable-rate.js';
import type { JudgeInput } from './judge-input.js';
import type { TripwireOutcome } from './tripwire-outcome.js';

export interface Decision {
  verdict: VerdictState;
  reason: string | null;
  detail?: string;
}

/** All that the decision looks at. */
export interface Weighed {
  input: JudgeInput;
  live: Facet[];
  facets: FacetResult[];
  rate: Rate;
  candidates: JudgedTrial[];
  shownArm: ShownArm | null;
  controls: ControlOutcome[];
  tripwire: TripwireOutcome;
  grade: Grade | null;
  gradeReason: string;
  findings: Finding[];
}

function inconclusive(reason: string, detail: string): Decision {
  return { verdict: 'inconclusive', reason, detail };
}

function liveResults(weighed: Weighed): FacetResult[] {
  return weighed.facets.filter((facet) => facet.live);
}

/** Live facets that no trial shows: another failure, absence, or nothing decided. */
function decideWithoutSignal(weighed: Weighed): Decision {
  const results = liveResults(weighed);
  const collision = results.find((facet) => facet.state === 'collision');
  if (collision)
    return {
      verdict: 'different_failure',
      reason: null,
      detail: (collision.note ?? 'see the facets').replace(/^another failure came instead: /, ''),
    };
  if (results.every((facet) => facet.state === 'absent')) {
    if (weighed.input.scope === 'script') return { verdict: 'not_shown', reason: null };
    return inconclusive('attempts', 'one attempt alone cannot say that the bug does not reproduce');
  }
  const open = results.find((facet) => facet.state === 'undecided');
  return inconclusive('undecided', open?.note ?? 'the checks decide nothing');
}

/** Whether the facet can count without any control: supervisor or probe recorded it, and it is specific enough. */
function countsByItself(facet: Facet): boolean {
  return isCheckable(facet) && !isMeasured(facet) && !hasLooseSignature(facet);
}

/** What keeps the shown facets from counting at all, or null: checks that hold for part and whole alike. */
function decideBelief(weighed: Weighed): Decision | null {
  const { controls, tripwire, shownArm } = weighed;
  if (weighed.grade === 'D') return { verdict: 'model_of_bug', reason: null, detail: weighed.gradeReason };
  if (weighed.grade === null) return inconclusive('evidence', weighed.gradeReason);
  const flat = controls.find((control) => control.result.state === 'shown');
  if (flat) return inconclusive('control', `the signal is there in the control as well (${flat.result.label})`);
  if (tripwire.state === 'open' || tripwire.state === 'fails') return inconclusive('tripwire', tripwire.note);
  const shownFacets = shownArm?.facets ?? [];
  const controlled = controls.some((control) => control.result.state === 'absent');
  const measured = shownFacets.some(isMeasured);
  if (!controlled && !shownFacets.every(countsByItself)) {
    const why = measured ? 'only the script measures it' : 'the claim tells too little of the failure';
    return inconclusive('control', `${why}, and no control tells it apart${triedControls(controls)}`);
  }
  const weak = shownFacets.flatMap((facet) => (shownArm && facetOf(shownArm.reference, facet.id)?.needsControl) ?? []);
  if (!controlled && weak[0] !== undefined)
    return inconclusive(
      'control',
      `${weak[0]}, and no control tells whether the script brought the input for it${triedControls(controls)}`,
    );
  if (tripwire.state === 'not-built' && measured)
    return inconclusive('tripwire', `only the script measures it, and there is ${tripwire.note}`);
  if (tripwire.state === 'not-built' && !isSeenInSubject(weighed))
    return inconclusive('tripwire', `nothing shows that the subject's code is to blame, and there is ${tripwire.note}`);
  return null;
}

/** Kinds that are shown by nothing but what happened in the subject's own code, or in loading or building it. */
const IN_SUBJECT: ReadonlySet<string> = new Set(['exception', 'hang', 'import', 'build']);

/** Every trial that shows the signal has the subject in the exception's frames, or the block of a hang in it. */
function isSeenInSubject(weighed: Weighed): boolean {
  const facets = weighed.shownArm?.facets ?? [];
  return facets.every((facet) => facet.oracles.some((oracle) => IN_SUBJECT.has(oracle.kind)));
}

function triedControls(controls: readonly ControlOutcome[]): string {
  const tried = controls.filter((control) => control.result.state === 'undecided');
  return tried.length > 0 ? ` (tried: ${tried.map((control) => `${control.result.label}: ${control.result.note}`).join(', ')})` : '';
}

/** Whether the series is as long as its kind asks for, on both sides. */
function decideLength(weighed: Weighed): Decision | null {
  const least = weighed.shownArm?.needsNoTest ? DETERMINISTIC_TRIALS : CHANCE_TRIALS;
  if (weighed.rate.total < least) return inconclusive('trials', `${weighed.rate.total} of at least ${least} trials were run`);
  const absent = weighed.controls.filter((control) => control.result.state === 'absent');
  if (absent.length === 0) return null;
  const full = absent.find((control) => control.isFull);
  if (!full) return inconclusive('trials', 'the control has fewer trials than the shown arm');
  if (!absent.some((control) => control.isFull && control.significant))
    return inconclusive('chance', `chance could make such a difference: p = ${full.result.p?.toFixed(3) ?? 'unknown'}`);
  return null;
}

function decideShown(weighed: Weighed): Decision {
  const early = decideLength(weighed);
  if (early) return early;
  const { shown, total } = weighed.rate;
  const controlled = weighed.controls.some((control) => control.result.state === 'absent');
  if (2 * shown >= total) return { verdict: controlled ? 'reproduced' : 'reproduced_uncontrolled', reason: null };
  if (total >= UNSTABLE_TRIALS && shown / total >= UNSTABLE_SHARE) return { verdict: 'reproduced_unstable', reason: null };
  return inconclusive('rate', `the whole claim was seen in ${shown} of ${total} trials`);
}

/** The state of the verdict from what was weighed; findings come first, then belief, then completeness (verdict.md section 5). */
export function decideVerdict(weighed: Weighed): Decision {
  const finding = weighed.findings.find((one) => one.level === 'finding');
  if (finding) return { verdict: 'refused', reason: finding.rule, detail: `${finding.rule}: ${finding.message}` };
  if (weighed.live.length === 0) return inconclusive('claim', 'the report states no symptom that was observed');
  const results = liveResults(weighed);
  if (!weighed.shownArm) return decideWithoutSignal(weighed);
  const belief = decideBelief(weighed);
  if (belief) return belief;
  const shown = results.filter((facet) => facet.state === 'shown').length;
  if (shown === 0) return decideWithoutSignal(weighed);
  if (shown < results.length) return { verdict: 'partial', reason: null };
  return decideShown(weighed);
}
