import type { Classification } from './outcome-class.js';

/** One rank's outcome with the moment it came, for the outcome of the whole execution. */
export interface RankOutcome {
  rank: number;
  classification: Classification;
  /** When the rank ended or was first known to be in trouble, in seconds on the executor's clock; null = unknown. */
  endedAtSeconds: number | null;
  /** For a rank whose script may be judged. `stuck`: it was ended because the group did not move. */
  script: 'succeeded' | 'failed' | 'stuck' | 'unknown';
}

/** How an execution of one or many ranks ended. */
export interface ExecutionOutcome {
  classification: Classification;
  /** The rank that decided; null = no rank did so more than another. */
  rank: number | null;
  /** Ranks without evidence of their own, where what the others tell counts nevertheless. */
  missingRanks: number[];
}

/** Kubelets and supervisors have clocks of their own. */
const ORDER_TOLERANCE_SECONDS = 5;
/** A cluster's fault on one rank this long after the first failed script is taken for its consequence no more: it may be the cause. */
const SHADOW_SECONDS = 60;

/**
 * The outcome of an execution from those of its ranks. The cluster's fault on any rank makes it the cluster's fault, unless a script had
 * failed by itself surely before (more than 60 s, and 5 s for the clocks): then the first failed script decides. A group that got stuck
 * counts only when no rank is missing, since the missing one may be what it waited for.
 *
 * @throws RangeError where there is no rank.
 */
export function mergeRanks(ranks: readonly RankOutcome[]): ExecutionOutcome {
  const cancelled = ranks.find(({ classification }) => classification.outcome === 'cancelled');
  if (cancelled !== undefined) return decidedBy(cancelled, []);
  const faults = inOrder(ranks.filter(({ classification }) => classification.outcome === 'infra'));
  const failures = inOrder(ranks.filter(({ classification, script }) => classification.outcome === 'finished' && script === 'failed'));
  const [fault] = faults;
  const [failure] = failures;
  if (fault === undefined) return decidedBy(failure ?? ranks[0], [], failure === undefined);
  if (failure === undefined || faults.some((one) => !isSurelyAfter(one, failure))) return decidedBy(firstCause(faults), []);
  return decidedBy(
    failure,
    faults.map(({ rank }) => rank),
  );
}

function isSurelyAfter(fault: RankOutcome, failure: RankOutcome): boolean {
  if (fault.endedAtSeconds === null || failure.endedAtSeconds === null) return false;
  return fault.endedAtSeconds > failure.endedAtSeconds + SHADOW_SECONDS + ORDER_TOLERANCE_SECONDS;
}

/**
 * Of faults that came at about the same time, one that says what happened comes before one that only lacks its END or its peers: where a
 * pod is killed, the others tell that they lost it.
 */
function firstCause(faults: RankOutcome[]): RankOutcome | undefined {
  const start = faults[0]?.endedAtSeconds ?? null;
  const together =
    start === null ? faults : faults.filter(({ endedAtSeconds }) => (endedAtSeconds ?? start) <= start + ORDER_TOLERANCE_SECONDS);
  return together.find(({ classification }) => !VAGUE.has(classification.class)) ?? together[0];
}

const VAGUE: ReadonlySet<string> = new Set([
  'infra-net',
  'infra-unknown',
  'log-incomplete',
  'infra-sigkill-unknown',
  'supervisor-lost',
  'infra-stopped',
]);

/** By time, then by rank; a rank without a time comes first, since it may have been the first. */
function inOrder(ranks: RankOutcome[]): RankOutcome[] {
  return ranks.sort((one, other) => (one.endedAtSeconds ?? -Infinity) - (other.endedAtSeconds ?? -Infinity) || one.rank - other.rank);
}

function decidedBy(rank: RankOutcome | undefined, missing: number[], none = false): ExecutionOutcome {
  if (rank === undefined) throw new RangeError('an execution has at least one rank');
  return { classification: rank.classification, rank: none ? null : rank.rank, missingRanks: missing.sort((a, b) => a - b) };
}
