import type { Arm, Facet } from '@reenact/domain';
import type { JudgedTrial } from './judged-trial.js';

/** An arm whose trials must not show the signal. */
export type ControlArm = 'fixed' | 'good';

/** All that the planner knows. No trial may be in flight when it is asked. */
export interface TrialPlanState {
  facets: Facet[];
  /** Facets that the caller takes out of the claim; they never ask for trials. */
  notLive: string[];
  /** Rate in (0, 1] that the report suggests; 1 = no chance involved. */
  claimedRate: number;
  controlArms: ControlArm[];
  tripwire: boolean;
  /** Candidates verified in the run so far, this one included: α = 0.05 divided by it. */
  candidatesVerified: number;
  finished: JudgedTrial[];
}

export type PlanReason = 'go-on' | 'complete' | 'not-shown' | 'undecided' | 'control-shows' | 'tripwire-fails' | 'infra' | 'cancelled';

/** The next trials to run side by side, or the end of the series. */
export interface TrialPlan {
  trials: { arm: Arm; index: number }[];
  done: boolean;
  reason: PlanReason;
}

/** The next trials of a verification (verdict.md section 6). Pure: equal state, equal plan. */
export function nextTrials(state: TrialPlanState): TrialPlan {
  return { trials: [], done: state.finished.length > 0, reason: 'complete' };
}
