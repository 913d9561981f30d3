import type { Classification } from './outcome-class.js';

/** One rank's outcome with the moment it came, for the outcome of the whole execution. */
export interface RankOutcome {
  rank: number;
  classification: Classification;
  /** When the rank ended or was first known to be in trouble, in seconds on the executor's clock; null = unknown. */
  endedAtSeconds: number | null;
  /** For a rank whose script may be judged. `stuck`: it was ended because the group did not move; `unknown`: only for another's sake. */
  script: 'succeeded' | 'failed' | 'stuck' | 'unknown';
}

/** How an execution of one or many ranks ended. */
export interface ExecutionOutcome {
  classification: Classification;
  /** The rank that decided; null = no rank did so more than another. */
  rank: number | null;
}

/** Kubelets and supervisors have clocks of their own. */
const ORDER_TOLERANCE_SECONDS = 5;

/**
 * The outcome of an execution from those of its ranks. The cluster's fault on any rank makes it the cluster's fault, however long after a
 * script failed: supervisors give evidence together or not at all, so what is there without it is not whole. Else the first failed script
 * decides.
 *
 * @throws RangeError where there is no rank.
 */
export function mergeRanks(ranks: readonly RankOutcome[]): ExecutionOutcome {
  const cancelled = ranks.find(({ classification }) => classification.outcome === 'cancelled');
  if (cancelled !== undefined) return decidedBy(cancelled);
  const faults = inOrder(ranks.filter(({ classification }) => classification.outcome === 'infra'));
  if (faults.length > 0) return decidedBy(firstCause(faults));
  const [failure] = inOrder(ranks.filter(({ script }) => script === 'failed'));
  return failure === undefined ? { ...decidedBy(ranks[0]), rank: null } : decidedBy(failure);
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

function decidedBy(rank: RankOutcome | undefined): ExecutionOutcome {
  if (rank === undefined) throw new RangeError('an execution has at least one rank');
  return { classification: rank.classification, rank: rank.rank };
}
