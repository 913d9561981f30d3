import type { ControlResult, Facet } from '@reenact/domain';
import { fisherOneSided, type Fraction, isSignificant, toNumber } from '../statistics/fisher.js';
import { rateOf } from '../statistics/intervals.js';
import { controlFacetState, controlTrialState, showsAll } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isSupposed } from '../verification/trial-plan.js';
import type { JudgeInput } from './judge-input.js';

/** The shown arm as a control is compared with it. */
export interface ShownArm {
  facets: Facet[];
  trials: JudgedTrial[];
  /** A trial that shows the signal. */
  reference: JudgedTrial;
  /** Deterministic kinds with one signature need no test. */
  needsNoTest: boolean;
}

/** A control arm's result and what the verdict asks of it beside. */
export interface ControlOutcome {
  result: ControlResult;
  /** Whether the difference is beyond chance; true where no test is needed. */
  significant: boolean;
  /** Whether it has as many decided trials as the shown arm. */
  isFull: boolean;
  /** Facets that the control shows as well: they are not what the control changes. */
  alsoShown: string[];
}

function testOf(shownArm: ShownArm, shown: number, total: number): Fraction {
  const hits = shownArm.trials.filter((trial) => showsAll(trial, shownArm.facets)).length;
  return fisherOneSided({ shown: hits, total: shownArm.trials.length }, { shown, total });
}

function notRun(arm: ControlResult['arm'], label: string, note: string): ControlOutcome {
  const result: ControlResult = { arm, label, state: 'not-run', rate: rateOf(0, 0), p: null, note, trials: [] };
  return { result, significant: false, isFull: false, alsoShown: [] };
}

function judgeArm(
  control: JudgeInput['controls'][number],
  trials: JudgedTrial[],
  shownArm: ShownArm,
  candidatesVerified: number,
): ControlOutcome {
  const states = trials.map((trial) => controlTrialState(shownArm.facets, trial, shownArm.reference));
  const shown = states.filter(({ state }) => state === 'shown').length;
  const open = states.filter(({ state }) => state === 'undecided');
  const stays = shown > 0 && isSupposed(control.arm);
  const state = stays ? 'undecided' : shown > 0 ? 'shown' : open.length > 0 ? 'undecided' : 'absent';
  const test = testOf(shownArm, shown, trials.length);
  const alsoShown = shownArm.facets.filter(
    (facet) => !isSupposed(control.arm) && trials.some((trial) => controlFacetState(facet, trial, shownArm.reference).state === 'shown'),
  );
  const result: ControlResult = {
    arm: control.arm,
    label: control.label,
    state,
    rate: rateOf(shown, trials.length),
    p: shownArm.needsNoTest ? null : toNumber(test),
    note: noteOf(state, stays, open[0]?.note),
    trials: trials.map((trial) => trial.trial),
  };
  const isFull = state === 'absent' && trials.length >= shownArm.trials.length;
  return {
    result,
    significant: shownArm.needsNoTest || isSignificant(test, candidatesVerified),
    isFull,
    alsoShown: alsoShown.map((facet) => facet.id),
  };
}

function noteOf(state: ControlResult['state'], stays: boolean, why: string | undefined): string {
  if (stays) return 'the signal stays, so this is not what brings it about';
  if (state === 'undecided') return why ?? '';
  return state === 'shown' ? 'the signal is there too' : '';
}

/** What every control arm says about the signal; arms without a finished trial are `not-run`. */
export function controlOutcomes(input: JudgeInput, shownArm: ShownArm | null): ControlOutcome[] {
  return input.controls.map((control) => {
    const trials = input.trials.filter((trial) => trial.arm === control.arm && trial.outcome === 'finished');
    if (!shownArm) return notRun(control.arm, control.label, 'there was no signal to compare with');
    if (trials.length === 0)
      return notRun(control.arm, control.label, isSupposed(control.arm) ? 'not needed' : 'no trial of this control finished');
    return judgeArm(control, trials, shownArm, input.candidatesVerified);
  });
}
