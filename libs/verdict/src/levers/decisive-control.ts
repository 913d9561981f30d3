import type { Facet } from '@reenact/domain';
import { controlTrialState, showsAll } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import type { ControlArm } from '../verification/trial-plan.js';

/** The control arm that stands for a tree without the fault: all of its plain trials lack the symptom. Null = there is none. */
export function decisiveControl(
  { finished, controlArms }: { finished: readonly JudgedTrial[]; controlArms: readonly ControlArm[] },
  facets: readonly Facet[],
): ControlArm | null {
  const reference = finished.find((trial) => trial.arm === 'candidate' && showsAll(trial, facets));
  if (reference === undefined) return null;
  const isClean = (arm: ControlArm) => {
    const trials = finished.filter((trial) => trial.arm === arm && trial.outcome === 'finished');
    return trials.length > 0 && trials.every((trial) => controlTrialState(facets, trial, reference).state === 'absent');
  };
  return controlArms.find(isClean) ?? null;
}
