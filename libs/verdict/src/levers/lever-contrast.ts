import type { Arm, Facet, Lever, LeverKind, LeverResult, TrialPlan } from '@reenact/domain';
import { fisherOneSided, isSignificant, toNumber, type Counts } from '../statistics/fisher.js';
import { showsAll } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { plainTrials, trialsUnder } from './levers.js';

/** Three kinds of levers, each of which may make the symptom come more or less often. */
const TESTS = 6;
/** Seeds that are tried once each, to find one that shows the symptom and one that does not. */
export const EXPLORED_SEEDS = [1, 2, 3, 4, 5];
/** Fresh trials of each of the two: 5 of 5 against 0 of 5 is p = 1/252, below 0.05/6. */
const SEED_TRIALS = 5;
/**
 * Where so many first trials all agree, the lever may decide, and it is tried as often as the number after: 15 of 15 against 5
 * of 10 is p = 0.0047, below 0.05/6.
 */
const FIRST_TRIALS = 4;
const FULL_TRIALS = 15;
const CONTROL_TRIALS = 4;
export const ONE_THREAD: Lever = { kind: 'threads', value: 1 };
export const LOAD: Lever = { kind: 'load', value: 2 };

/** A series that is over, to be compared with trials under levers. */
export interface Contrast {
  facets: readonly Facet[];
  trials: readonly JudgedTrial[];
  levers: readonly LeverKind[];
  /** The arm whose plain trials do not show the symptom; null = there is none. */
  control: Arm | null;
}

/** Trials that would tell whether a lever decides when the symptom comes; empty = all is known. */
export function wantedContrasts(contrast: Contrast): TrialPlan[] {
  const wanted = [
    ...(contrast.levers.includes('hash-seed') ? wantedSeeds(contrast) : []),
    ...(contrast.levers.includes('threads') ? wantedUnder(contrast, ONE_THREAD) : []),
    ...(contrast.levers.includes('load') ? wantedUnder(contrast, LOAD) : []),
  ];
  return wanted.length > 0 ? wanted : wantedControls(contrast);
}

/** What the trials under levers say. */
export function leverResults(contrast: Contrast): LeverResult[] {
  return [seedResult(contrast), ...[ONE_THREAD, LOAD].map((lever) => againstPlain(contrast, lever))].filter((result) => result !== null);
}

/** Trials that tell something; what the platform spoiled does not. */
function underLever({ trials }: Contrast, lever: Lever, arm: Arm = 'candidate'): JudgedTrial[] {
  return trialsUnder(trials, lever).filter((trial) => trial.arm === arm && trial.outcome === 'finished');
}

function countsOf({ facets }: Contrast, trials: readonly JudgedTrial[]): Counts {
  return { shown: trials.filter((trial) => showsAll(trial, facets)).length, total: trials.length };
}

/** Nothing where the platform spoiled one: no lever is worth a second try. */
function missing(contrast: Contrast, lever: Lever, total: number, arm: Arm = 'candidate'): TrialPlan[] {
  const done = trialsUnder(contrast.trials, lever).filter((trial) => trial.arm === arm);
  if (done.some(({ outcome }) => outcome !== 'finished')) return [];
  return Array.from({ length: Math.max(0, total - done.length) }, (_unused, offset) => ({ arm, index: done.length + offset, lever }));
}

function wantedSeeds(contrast: Contrast): TrialPlan[] {
  const explored = EXPLORED_SEEDS.flatMap((value) => missing(contrast, { kind: 'hash-seed', value }, 1));
  if (explored.length > 0) return explored;
  return seedPair(contrast)?.flatMap((lever) => missing(contrast, lever, 1 + SEED_TRIALS)) ?? [];
}

/** The first seed that showed the symptom and the first that did not, or null where all did the same. */
function seedPair(contrast: Contrast): [Lever, Lever] | null {
  const seeds = EXPLORED_SEEDS.map((value): Lever => ({ kind: 'hash-seed', value }));
  const first = (isShown: boolean) =>
    seeds.find((lever) => underLever(contrast, lever).some((trial) => trial.index === 0 && showsAll(trial, contrast.facets) === isShown));
  const [shown, absent] = [first(true), first(false)];
  return shown && absent ? [shown, absent] : null;
}

function plainCandidates(contrast: Contrast): JudgedTrial[] {
  return plainTrials(contrast.trials).filter(({ arm, outcome }) => arm === 'candidate' && outcome === 'finished');
}

function wantedUnder(contrast: Contrast, lever: Lever): TrialPlan[] {
  const plain = countsOf(contrast, plainCandidates(contrast));
  const couldTell = [FULL_TRIALS, 0].some((shown) => effectOf({ shown, total: FULL_TRIALS }, plain).proven);
  if (!couldTell) return [];
  const first = missing(contrast, lever, FIRST_TRIALS);
  if (first.length > 0) return first;
  const { shown, total } = countsOf(contrast, underLever(contrast, lever));
  return shown === 0 || shown === total ? missing(contrast, lever, FULL_TRIALS) : [];
}

function effectOf(under: Counts, against: Counts): Pick<LeverResult, 'effect' | 'p' | 'proven'> {
  const [more, less] = [fisherOneSided(under, against), fisherOneSided(against, under)];
  if (isSignificant(more, TESTS)) return { effect: 'more', p: toNumber(more), proven: true };
  if (isSignificant(less, TESTS)) return { effect: 'less', p: toNumber(less), proven: true };
  return { effect: 'none', p: null, proven: false };
}

function againstPlain(contrast: Contrast, lever: Lever): LeverResult | null {
  const under = countsOf(contrast, underLever(contrast, lever));
  if (under.total < FIRST_TRIALS) return null;
  const against = countsOf(contrast, plainCandidates(contrast));
  return withControl(contrast, { lever, under, against, otherSeed: null }, effectOf(under, against));
}

/** Both seeds are counted whole, but the trials that chose them prove nothing: only the fresh ones after can tell. */
function seedResult(contrast: Contrast): LeverResult | null {
  const pair = seedPair(contrast);
  if (pair === null) return null;
  const [shown, absent] = pair;
  const fresh = pair.map((lever) =>
    countsOf(
      contrast,
      underLever(contrast, lever).filter(({ index }) => index > 0),
    ),
  );
  const [under, against] = fresh;
  if (under === undefined || against === undefined || under.total < SEED_TRIALS || against.total < SEED_TRIALS) return null;
  const counts = {
    lever: shown,
    under: countsOf(contrast, underLever(contrast, shown)),
    against: countsOf(contrast, underLever(contrast, absent)),
    otherSeed: absent.value,
  };
  return withControl(contrast, counts, effectOf(under, against));
}

/** A lever that brings the symptom without the fault as well explains nothing. */
function withControl(
  contrast: Contrast,
  counts: Pick<LeverResult, 'lever' | 'under' | 'against' | 'otherSeed'>,
  effect: Pick<LeverResult, 'effect' | 'p' | 'proven'>,
): LeverResult {
  const trials = contrast.control === null ? [] : underLever(contrast, counts.lever, contrast.control);
  const control = trials.length === 0 ? null : countsOf(contrast, trials);
  return { ...counts, control, ...effect, proven: effect.proven && (control === null || control.shown === 0) };
}

function wantedControls(contrast: Contrast): TrialPlan[] {
  const { control } = contrast;
  if (control === null) return [];
  const telling = leverResults(contrast).filter(({ proven, effect }) => proven && effect === 'more');
  return telling.flatMap(({ lever }) => missing(contrast, lever, CONTROL_TRIALS, control));
}
