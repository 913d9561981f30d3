import type { ControlResult, Facet, Finding } from '@reenact/domain';
import { rateOf } from '../statistics/intervals.js';
import { facetOf, showsAll, showsAny, tripwireTrialState } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isImportFacet } from '../verification/live-facets.js';
import type { ShownArm } from './control-results.js';
import type { JudgeInput } from './judge-input.js';

/** What counter-check (d) of verdict.md section 7 says. */
export interface TripwireOutcome {
  /** `not-needed`: no such check exists for the kind. `not-built`: no suspect was known. `open`: it says neither yes nor no. */
  state: 'holds' | 'fails' | 'open' | 'not-built' | 'not-needed';
  note: string;
  findings: Finding[];
  result: ControlResult | null;
  alsoShown: string[];
}

function groundingText(trial: JudgedTrial, facets: readonly Facet[]): string {
  return facets
    .map(
      (facet) =>
        facetOf(trial, facet.id)
          ?.grounding.map((ground) => ground.text)
          .join('|') ?? '',
    )
    .join('||');
}

/** The signal stays although every suspect raises: with the very same text it is printed, not measured. */
function staysFinding(trial: JudgedTrial, shownArm: ShownArm): Finding {
  const same = shownArm.trials.some((candidate) => groundingText(candidate, shownArm.facets) === groundingText(trial, shownArm.facets));
  const level = same && !isRaisedInSubject(trial) ? 'finding' : 'suspicion';
  return {
    rule: 'prints-the-answer',
    level,
    message: 'the signal stays although every suspected function raises',
    evidence: `trial ${trial.trial}`,
  };
}

function isRaisedInSubject(trial: JudgedTrial): boolean {
  return trial.facts?.failure?.raisedIn === 'subject';
}

/**
 * No suspect was ever called. That the signal changes with the subject, or was raised in it, says that other code of the
 * subject is to blame: then the suspects were wrong, not the script.
 */
function neverFinding(trial: JudgedTrial, shownArm: ShownArm, controlFlips: boolean): Finding {
  const callsSubject = controlFlips || isRaisedInSubject(shownArm.reference);
  const level = callsSubject || !showsAny(trial, shownArm.facets) ? 'suspicion' : 'finding';
  return {
    rule: 'never-calls-the-subject',
    level,
    message: 'no suspected function was called: the sentinel never appeared',
    evidence: `trial ${trial.trial}`,
  };
}

function resultOf(trials: readonly JudgedTrial[], shownArm: ShownArm, state: 'holds' | 'fails' | 'open', note: string): ControlResult {
  const shown = trials.filter((trial) => showsAll(trial, shownArm.facets)).length;
  const said = state === 'holds' ? 'absent' : shown > 0 ? 'shown' : 'undecided';
  return {
    arm: 'tripwire',
    label: 'tripwire',
    state: said,
    rate: rateOf(shown, trials.length),
    p: null,
    note,
    trials: trials.map((trial) => trial.trial),
  };
}

function judgeTrials(trials: readonly JudgedTrial[], shownArm: ShownArm, controlFlips: boolean): TripwireOutcome {
  const findings: Finding[] = [];
  for (const trial of trials) {
    const state = tripwireTrialState(shownArm.facets, trial);
    if (state === 'signal-stays') findings.push(staysFinding(trial, shownArm));
    if (state === 'never-tripped') findings.push(neverFinding(trial, shownArm, controlFlips));
  }
  const state = findings.length === 0 ? 'holds' : findings.some(({ level }) => level === 'finding') ? 'fails' : 'open';
  const note = findings[0]?.message ?? 'every suspected function raised a sentinel, and the signal was gone';
  const alsoShown = shownArm.facets
    .filter((facet) => trials.some((trial) => facetOf(trial, facet.id)?.state === 'shown'))
    .map((facet) => facet.id);
  return { state, note, findings: distinctFindings(findings), result: resultOf(trials, shownArm, state, note), alsoShown };
}

function distinctFindings(findings: readonly Finding[]): Finding[] {
  return findings.filter((one, index) => findings.findIndex((other) => other.rule === one.rule && other.level === one.level) === index);
}

/** Reads the tripwire trials. `controlFlips`: a control arm is absent for the signal. */
export function tripwireOutcome(input: JudgeInput, shownArm: ShownArm | null, controlFlips: boolean): TripwireOutcome {
  if (!shownArm) return { state: 'open', note: 'there was no signal to check', findings: [], result: null, alsoShown: [] };
  const trials = input.trials.filter((trial) => trial.arm === 'tripwire' && trial.outcome === 'finished');
  if (trials.length > 0) return judgeTrials(trials, shownArm, controlFlips);
  if (shownArm.facets.every(isImportFacet)) return notRun('not-needed', 'an import or a build that fails has no tripwire');
  return input.tripwire.built ? notRun('open', 'the tripwire was not run') : notRun('not-built', `no tripwire: ${input.tripwire.note}`);
}

function notRun(state: 'not-needed' | 'not-built' | 'open', note: string): TripwireOutcome {
  const result: ControlResult = { arm: 'tripwire', label: 'tripwire', state: 'not-run', rate: rateOf(0, 0), p: null, note, trials: [] };
  return { state, note, findings: [], result, alsoShown: [] };
}
