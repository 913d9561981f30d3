import type { Arm, Facet, TrialPlan as PlannedTrial } from '@reenact/domain';
import { fisherOneSided, isSignificant } from '../statistics/fisher.js';
import { runsNeeded } from '../statistics/misses.js';
import { controlTrialState, showsAll, showsAny, tripwireTrialState } from './arm-states.js';
import type { JudgedTrial } from './judged-trial.js';
import { isCheckable, liveFacets } from './live-facets.js';
import { hasOneSignature } from './one-signature.js';

/** An arm whose trials must not show the signal. */
export type ControlArm = 'fixed' | 'good' | 'trigger' | 'sabotage';

/**
 * Controls in the order in which they are tried; the next set is asked only where the one before says nothing. A fix or
 * a good version that shows the signal ends the series. A trigger of the report or a proposal for the suspected function
 * may simply be wrong: where the signal stays, they are no control and nothing is held against the script.
 */
const CONTROL_TIERS: readonly (readonly ControlArm[])[] = [['fixed', 'good'], ['trigger'], ['sabotage']];

/** Whether trials of the arm are a control. */
export function isControlArm(arm: Arm): arm is ControlArm {
  return CONTROL_TIERS.flat().some((control) => control === arm);
}

/** Whether the control only supposes what brings the fault about, so that a signal in it tells nothing. */
export function isSupposed(arm: ControlArm): boolean {
  return arm === 'trigger' || arm === 'sabotage';
}

/** All that the planner knows. No trial may be in flight when it is asked. */
export interface TrialPlanState {
  facets: Facet[];
  /** Facets that the caller takes out of the claim; they never ask for trials. */
  notLive: string[];
  /** Rate in (0, 1] to reckon with: as an earlier series measured it, else as the report suggests; 1 = no chance involved. */
  expectedRate: number;
  controlArms: ControlArm[];
  tripwire: boolean;
  /** Candidates verified in the run so far, this one included: α = 0.05 divided by it. */
  candidatesVerified: number;
  finished: JudgedTrial[];
}

export type PlanReason = 'go-on' | 'complete' | 'not-shown' | 'undecided' | 'control-shows' | 'tripwire-fails' | 'infra' | 'cancelled';

/** The next trials, which may run side by side, or the end of the series. */
export interface TrialPlan {
  trials: PlannedTrial[];
  done: boolean;
  reason: PlanReason;
}

/** Least trials of the shown arm (verdict.md section 6). */
export const DETERMINISTIC_TRIALS = 3;
export const CHANCE_TRIALS = 5;
const MIXED_TRIALS = 10;
const RARE_TRIALS = 20;
/** An infrastructure failure is repeated so often in one arm, and never counted. */
const INFRA_REPEATS = 3;
/** A control that twice says nothing is not asked again. */
const UNDECIDED_CONTROLS = 2;

interface Series {
  state: TrialPlanState;
  facets: Facet[];
  deterministic: boolean;
  candidates: JudgedTrial[];
}

function counted(state: TrialPlanState, arm: Arm): JudgedTrial[] {
  return state.finished.filter((trial) => trial.arm === arm && trial.outcome === 'finished');
}

/** New indexes follow all that were ever used, so that a repeated trial is a fresh one. */
function fresh(state: TrialPlanState, arm: Arm, count: number): TrialPlan['trials'] {
  const used = state.finished.filter((trial) => trial.arm === arm).map((trial) => trial.index);
  const first = Math.max(-1, ...used) + 1;
  return Array.from({ length: Math.max(0, count) }, (_unused, offset) => ({ arm, index: first + offset }));
}

function ended(reason: PlanReason): TrialPlan {
  return { trials: [], done: true, reason };
}

/** Whether so many shown trials would tell from a control of equal size that shows none. */
function wouldTell(series: Series, shown: number, total: number): boolean {
  return isSignificant(fisherOneSided({ shown, total }, { shown: 0, total }), series.state.candidatesVerified);
}

/** How many trials of the shown arm the answers so far ask for: 3 or 5, then 10 where they are mixed, then 20. */
function wantedTrials(series: Series): number {
  const { candidates, facets } = series;
  const full = candidates.filter((trial) => showsAll(trial, facets)).length;
  // Where a part of the claim never shows, the part that does is what is counted.
  const shown = full > 0 ? full : candidates.filter((trial) => showsAny(trial, facets)).length;
  const total = candidates.length;
  const base = series.deterministic ? DETERMINISTIC_TRIALS : CHANCE_TRIALS;
  if (total < base) return base;
  if (shown === total && (series.deterministic || wouldTell(series, shown, total))) return total;
  if (total < MIXED_TRIALS) return MIXED_TRIALS;
  return 2 * shown < total || !wouldTell(series, shown, total) ? Math.max(RARE_TRIALS, total) : total;
}

/** The end where the first trials miss: at once, or after as many as the miss bound asks for. */
function planWithoutSignal(series: Series): TrialPlan {
  const { state, candidates } = series;
  const missing = runsNeeded(state.expectedRate) - candidates.length;
  if (missing > 0) return { trials: fresh(state, 'candidate', missing), done: false, reason: 'go-on' };
  const open = candidates.every((trial) => trial.facets.every((facet) => facet.state === 'undecided'));
  return ended(open ? 'undecided' : 'not-shown');
}

/** The control arms that are asked now, and whether one that must not shows the signal. */
function controlEnds(series: Series, reference: JudgedTrial): { arms: ControlArm[]; shown: boolean } {
  const statesOf = (arm: ControlArm): string[] =>
    counted(series.state, arm).map((trial) => controlTrialState(series.facets, trial, reference).state);
  const isUsable = (arm: ControlArm): boolean => {
    const states = statesOf(arm);
    return states.filter((state) => state === 'undecided').length < UNDECIDED_CONTROLS && !(isSupposed(arm) && states.includes('shown'));
  };
  const there = series.state.controlArms;
  const tiers = CONTROL_TIERS.map((tier) => tier.filter((arm) => there.includes(arm) && isUsable(arm)));
  return {
    arms: tiers.find((tier) => tier.length > 0) ?? [],
    shown: there.some((arm) => !isSupposed(arm) && statesOf(arm).includes('shown')),
  };
}

/** One control of each arm and one tripwire come first: they end a cheat before it costs more. */
function planWithSignal(series: Series, reference: JudgedTrial): TrialPlan {
  const { state } = series;
  const controls = controlEnds(series, reference);
  if (controls.shown) return ended('control-shows');
  const tripwires = counted(state, 'tripwire');
  if (tripwires.some((trial) => tripwireTrialState(series.facets, trial) !== 'holds')) return ended('tripwire-fails');
  const probes = [
    ...controls.arms.filter((arm) => counted(state, arm).length === 0).flatMap((arm) => fresh(state, arm, 1)),
    ...(state.tripwire && tripwires.length === 0 ? fresh(state, 'tripwire', 1) : []),
  ];
  if (probes.length > 0) return { trials: probes, done: false, reason: 'go-on' };
  const wanted = wantedTrials(series);
  const candidates = fresh(state, 'candidate', wanted - series.candidates.length);
  if (candidates.length > 0) return { trials: candidates, done: false, reason: 'go-on' };
  const rest = [
    ...controls.arms.flatMap((arm) => fresh(state, arm, wanted - counted(state, arm).length)),
    ...(state.tripwire && !series.deterministic ? fresh(state, 'tripwire', 2 - tripwires.length) : []),
  ];
  return rest.length > 0 ? { trials: rest, done: false, reason: 'go-on' } : ended('complete');
}

function spoiledArm(state: TrialPlanState): boolean {
  const arms: Arm[] = ['candidate', 'tripwire', ...CONTROL_TIERS.flat()];
  return arms.some((arm) => state.finished.filter((trial) => trial.arm === arm && trial.outcome === 'infra').length > INFRA_REPEATS);
}

/**
 * The next trials of a verification (verdict.md section 6), cheapest rejection first: one candidate trial, then one
 * control and one tripwire, then the rest of the shown arm, then as many controls. Pure: equal state, equal plan.
 */
export function nextTrials(state: TrialPlanState): TrialPlan {
  if (state.finished.some((trial) => trial.outcome === 'cancelled')) return ended('cancelled');
  if (spoiledArm(state)) return ended('infra');
  const facets = liveFacets(state.facets, state.notLive).filter(isCheckable);
  const candidates = counted(state, 'candidate');
  if (candidates.length === 0) return { trials: fresh(state, 'candidate', 1), done: false, reason: 'go-on' };
  if (facets.length === 0) return ended('undecided');
  const series: Series = { state, facets, candidates, deterministic: hasOneSignature(facets, candidates, state.expectedRate) };
  const reference = candidates.find((trial) => showsAll(trial, facets)) ?? candidates.find((trial) => showsAny(trial, facets));
  const rejected = state.expectedRate === 1 && candidates[0] !== undefined && !showsAny(candidates[0], facets);
  return reference && !rejected ? planWithSignal(series, reference) : planWithoutSignal(series);
}
