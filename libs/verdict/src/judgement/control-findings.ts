import type { Finding } from '@reenact/domain';
import { showsAll } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isMeasured } from '../verification/live-facets.js';
import type { ShownArm } from './control-results.js';
import type { JudgeInput } from './judge-input.js';
import type { TripwireOutcome } from './tripwire-outcome.js';

/** A stall is the signal itself where a hang is claimed; any other limit leaves the trial without an end. */
function endedProperly(trial: JudgedTrial): boolean {
  return trial.facts !== null && (trial.facts.cutBy === null || trial.facts.cutBy === 'hang');
}

/**
 * A claim that every trial on the changed subject shows as well does not need the fault (verdict.md section 7,
 * `changes-the-condition`). Whether the script brings it about or the fix given is none cannot be told from here, so the
 * message says both. Where the fix takes away a part of the claim, the rest is only a facet that tells nothing; and what
 * the harness saw by itself is left open where no tripwire says whose code it came from.
 */
export function controlFindings(input: JudgeInput, shownArm: ShownArm | null, tripwire: TripwireOutcome): Finding[] {
  if (!shownArm || (tripwire.state === 'not-built' && !shownArm.facets.some(isMeasured))) return [];
  const trials = input.trials.filter((trial) => trial.arm === 'fixed' && trial.outcome === 'finished' && endedProperly(trial));
  if (trials.length === 0 || !trials.every((trial) => showsAll(trial, shownArm.facets))) return [];
  const label = input.controls.find((control) => control.arm === 'fixed')?.label ?? 'the fix';
  return [
    {
      rule: 'changes-the-condition',
      level: 'finding',
      message: `the signal is also there without the fault (${label}): the script brings it about by itself, or the fix given does not remove it`,
      evidence: `trial ${trials.map((trial) => trial.trial).join(', ')}`,
    },
  ];
}
