import type { Facet, Launch, Lever, LeverKind } from '@reenact/domain';
import type { JudgedTrial } from '../verification/judged-trial.js';

/** Names that numeric libraries read their number of threads from. */
const THREAD_VARIABLES = ['OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS'];

/** Variables that a trial under the lever gets; load is no variable but the sandbox's matter. */
export function leverEnvironment({ kind, value }: Lever): Record<string, string> {
  if (kind === 'hash-seed') return { PYTHONHASHSEED: String(value) };
  return kind === 'threads' ? Object.fromEntries(THREAD_VARIABLES.map((name) => [name, String(value)])) : {};
}

/** Kinds whose signal is how long or how much: a lever that slows everything tells nothing about them. */
const DISTURBED_BY_LOAD = new Set(['slow', 'hang', 'memory_peak', 'oom']);

/** Levers that may be set: what the launch itself sets stays as it is, and a measure of time stays undisturbed. */
export function leversOf(launch: Launch, facets: readonly Facet[]): LeverKind[] {
  const isSet = (names: readonly string[]) => names.some((name) => name in launch.env);
  const kinds: LeverKind[] = [];
  if (!isSet(['PYTHONHASHSEED'])) kinds.push('hash-seed');
  if (!isSet(THREAD_VARIABLES)) kinds.push('threads');
  if (!facets.some((facet) => facet.oracles.some(({ kind }) => DISTURBED_BY_LOAD.has(kind)))) kinds.push('load');
  return kinds;
}

/** Trials without any lever: what rates and controls rest on. */
export function plainTrials(trials: readonly JudgedTrial[]): JudgedTrial[] {
  return trials.filter(({ lever }) => lever === undefined);
}

/** Whether a trial ran under this lever. */
export function isUnder({ lever }: JudgedTrial, { kind, value }: Lever): boolean {
  return lever?.kind === kind && lever.value === value;
}

/** Trials under one lever. */
export function trialsUnder(trials: readonly JudgedTrial[], lever: Lever): JudgedTrial[] {
  return trials.filter((trial) => isUnder(trial, lever));
}
