import { DEPTH_WORDS } from '@reenact/domain';
import type { ControlResult, Explanation, FacetResult, Finding, Grade, Grounding, LeverResult, Rate, Verdict } from '@reenact/domain';

const GRADES: Record<Grade, string> = {
  A: 'real code, reported versions',
  B: 'real code, nearest versions',
  C: 'real code with synthetic data or stand-ins off the failing path',
  D: 'a re-statement of the mechanism, not the project',
};

/** `3 of 3 trials (95 % interval 29–100 %)`; without trials `no trials`. */
export function rateWords(rate: Rate): string {
  if (rate.total === 0) return 'no trials';
  return `${rate.shown} of ${rate.total} trials (95 % interval ${percent(rate.low)}–${percent(rate.high)} %)`;
}

function percent(share: number): string {
  return String(Math.round(share * 100));
}

/** The grade with its meaning; `none` where nothing was shown. */
export function gradeWords(verdict: Pick<Verdict, 'grade'>): string {
  return verdict.grade === null ? 'none' : `${verdict.grade} (${GRADES[verdict.grade]})`;
}

/** The depth with its meaning. */
export function depthWords(depth: Verdict['depth']): string {
  return `${depth} (${DEPTH_WORDS[depth]})`;
}

/** One word for a control's outcome, said so that a reader knows whether it is good. */
export function controlWords(control: ControlResult): string {
  const counts = control.rate.total === 0 ? '' : ` (${control.rate.shown} of ${control.rate.total})`;
  switch (control.state) {
    case 'absent':
      return `symptom gone${counts}`;
    case 'shown':
      return `symptom still there${counts}`;
    case 'undecided':
      return `undecided${counts}`;
    case 'not-run':
      return 'not run';
  }
}

/** What a lever does to the symptom, and whether that is proven. */
export function leverEffectWords({ effect, proven, control }: LeverResult): string {
  if (effect === 'none') return 'no effect seen';
  if (!proven) return `tells nothing, the symptom comes in the control as well (${control?.shown ?? 0} of ${control?.total ?? 0})`;
  return effect === 'more' ? 'brings the symptom' : 'keeps the symptom away';
}

/** Money and model use; says so where no model was asked. */
export function costWords(cost: Verdict['cost']): string {
  if (cost.modelCalls === 0) return 'no model was asked';
  const price = cost.costUsd === null ? 'price unknown' : `${cost.costUsd.toFixed(4)} USD`;
  return `${cost.modelCalls} model calls, ${cost.inputTokens} tokens in, ${cost.outputTokens} out, ${price}`;
}

/** How a facet came to be shown. */
export function shownByWords(facet: FacetResult): string {
  return facet.shownBy === 'harness' ? 'recorded by the harness' : 'measured by the script';
}

/** Where a grounding lies: trial and record of the evidence. */
export function groundingPlace(grounding: Grounding): string {
  return `trial ${grounding.trial}, record ${grounding.seq}`;
}

/** `rule (level) file:line`. */
export function findingPlace(finding: Finding): string {
  const line = finding.line === undefined ? '' : `:${finding.line}`;
  return finding.file === undefined ? '' : `${finding.file}${line}`;
}

/** `12.3 s`, from a minute on `2 min 03 s`. */
export function secondsWords(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** What a diagnostic trial told about a facet; empty where there was none. */
export function explanationsOf(verdict: Pick<Verdict, 'explanations'>, facet: Pick<FacetResult, 'id'>): Explanation[] {
  return (verdict.explanations ?? []).filter((explanation) => explanation.facet === facet.id);
}
