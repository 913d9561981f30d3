import type { LeverKind } from '@reenact/domain';
import { showsAll, showsAny } from '../verification/arm-states.js';
import { isCheckable, liveFacets } from '../verification/live-facets.js';
import { nextTrials } from '../verification/trial-plan.js';
import type { TrialPlan, TrialPlanState } from '../verification/trial-plan.js';
import { decisiveControl } from './decisive-control.js';
import { wantedContrasts } from './lever-contrast.js';
import { foundLever, SEARCHED_LEVERS, wantedSearch } from './lever-search.js';
import { plainTrials, trialsUnder } from './levers.js';

export interface LeverPlanState extends TrialPlanState {
  /** Levers that may be set; empty = none. */
  levers: readonly LeverKind[];
}

/** Up to so many seconds a trial takes, levers are worth their trials, which can be as many as those of the series. */
const TRIAL_SECONDS = 10;

/**
 * The next trials of a verification, levers included (verdict.md section 6, "vary on purpose"). First comes the series without
 * any. Where it shows the symptom in some trials only, levers are tried for what decides; where the report speaks of chance and
 * the symptom never came, one is looked for under which it does, and the series begins anew under that. Pure.
 */
export function planWithLevers(state: LeverPlanState): TrialPlan {
  const plain = { ...state, finished: plainTrials(state.finished) };
  const base = nextTrials(plain);
  if (!base.done || state.levers.length === 0 || isSlow(plain)) return base;
  const facets = liveFacets(state.facets, state.notLive).filter(isCheckable);
  const candidates = plain.finished.filter(({ arm, outcome }) => arm === 'candidate' && outcome === 'finished');
  const shown = candidates.filter((trial) => showsAll(trial, facets)).length;
  if (base.reason === 'complete' && shown > 0 && shown < candidates.length) {
    const control = decisiveControl(plain, facets);
    const trials = wantedContrasts({ facets, trials: state.finished, levers: state.levers, control });
    return trials.length > 0 ? { trials, done: false, reason: 'go-on' } : base;
  }
  const isMissed = base.reason === 'not-shown' && state.expectedRate < 1 && !candidates.some((trial) => showsAny(trial, facets));
  return isMissed ? planSearch(state, base) : base;
}

function isSlow({ finished }: TrialPlanState): boolean {
  const seconds = finished.filter(({ arm }) => arm === 'candidate').map((trial) => trial.seconds);
  return seconds.reduce((sum, one) => sum + one, 0) > TRIAL_SECONDS * seconds.length;
}

function planSearch(state: LeverPlanState, base: TrialPlan): TrialPlan {
  const wanted = wantedSearch(state.finished, state.levers);
  if (wanted.length > 0) return { trials: wanted, done: false, reason: 'go-on' };
  const lever = foundLever(state.finished, liveFacets(state.facets, state.notLive));
  if (lever === null) return base;
  const plan = nextTrials({
    ...state,
    finished: trialsUnder(state.finished, lever),
    candidatesVerified: state.candidatesVerified * SEARCHED_LEVERS,
  });
  return { ...plan, trials: plan.trials.map((trial) => ({ ...trial, lever })) };
}
