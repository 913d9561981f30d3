import type { PodStatus, StatusCondition } from './pod-status.js';
import { hasEnded, runnerOf } from './pod-status.js';

/** What the executor's own clock says is over: no pod came, it found no node, its container did not start, it gave no END. */
export type Overdue = 'none' | 'creation' | 'scheduling' | 'start' | 'run';

/** The closing frame of a rank's log. `whole`: nonce, sequence numbers, count and checksum of every frame before it were verified. */
export type EndFrame =
  | { state: 'missing' }
  | { state: 'broken'; problem: string }
  /** `stopped`: the supervisor was ended from outside; `finished`: it kept its protocol to the end. */
  | { state: 'whole'; podUid: string; kind: 'finished' | 'stopped' };

/** Facts about the node's hardware that the supervisor measured itself; nothing of it comes from what a script prints. */
export interface NodeFacts {
  /** Numbers of the driver's Xid events on the rank's GPUs during the run. */
  xids: number[];
  /** NVML answered at the start and no longer. */
  nvmlLost: boolean;
  /** A process was ended by SIGBUS while `/dev/shm` was at its limit. */
  sharedMemoryFull: boolean;
  /** Memory in use at the last heartbeat, as a share of the limit; null = no heartbeat came. */
  memoryShare: number | null;
}

/** Everything that is known about one rank of an execution when it is classified. */
export interface RankObservation {
  /** This executor deleted the execution, or was told to. */
  cancelled: boolean;
  /** Job or pod answered 404, or under another UID, after one was recorded. */
  gone: boolean;
  /** Present spec and status of the Job; null = it was never seen. */
  job: { suspended: boolean; conditions: StatusCondition[] } | null;
  /** UID of the first pod of this rank that ran; null = none did. */
  ranPodUid: string | null;
  /** Other pods of this rank that were seen after that one ran. */
  laterPodUids: string[];
  /** Status of the rank's pod: the first terminal one that was seen stays, with every condition that came before or after. */
  pod: PodStatus | null;
  end: EndFrame;
  overdue: Overdue;
  /** Messages of the events by which the Job's controller says that it could make no pod. */
  refusals: string[];
  /** A queue has put the workload aside for good. */
  workloadInactive: boolean;
  runtime: 'runc' | 'gvisor' | 'kata';
  node: NodeFacts;
}

/** Kubelet and control plane stamp whole seconds on clocks of their own. */
const CLOCK_TOLERANCE_MILLISECONDS = 5_000;

/** Whether the log proves that the supervisor of the pod that counts finished its protocol. */
export function hasFinished({ end, ranPodUid }: RankObservation): boolean {
  return end.state === 'whole' && end.kind === 'finished' && end.podUid === ranPodUid;
}

/** Whether a terminal record of the pod that counts is there, which later events cannot change any more. */
export function hasResult(rank: RankObservation): boolean {
  return hasFinished(rank) || runnerOf(rank.pod)?.state?.terminated !== undefined;
}

/**
 * Whether the cluster began to take the pod away before its container had surely ended: then nothing that it reports is believed. A
 * condition without a time, or a container without one, counts as before.
 */
export function wasDisrupted({ pod }: RankObservation): boolean {
  if (pod === null) return false;
  if (DISRUPTION_REASONS.has(pod.reason ?? '')) return true;
  const finished = Date.parse(runnerOf(pod)?.state?.terminated?.finishedAt ?? '');
  const disruptions = (pod.conditions ?? []).filter(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  return disruptions.some(({ lastTransitionTime }) => !(Date.parse(lastTransitionTime ?? '') > finished + CLOCK_TOLERANCE_MILLISECONDS));
}

/** Reasons of a pod that the node or the control plane ended (KEP-3329; graceful node shutdown; node life cycle controller). */
const DISRUPTION_REASONS: ReadonlySet<string> = new Set(['Terminated', 'Shutdown', 'NodeShutdown', 'Preempting', 'NodeLost']);

/**
 * Whether nothing more will come of a rank, so that its log is to be read and it can be classified. A container that waits is given its
 * whole time to start, since what fails to come may come; and the end of a container alone does not say why it ended: the kubelet tells
 * that with the end of the pod.
 */
export function isTerminal(rank: RankObservation): boolean {
  if (rank.cancelled || rank.gone || rank.overdue !== 'none' || rank.laterPodUids.length > 0 || rank.workloadInactive) return true;
  if (rank.job?.suspended === true && rank.ranPodUid !== null) return true;
  if (rank.job?.conditions.some(({ type, status }) => (type === 'Failed' || type === 'Complete') && status === 'True') === true)
    return true;
  return hasFinished(rank) || hasEnded(rank.pod);
}
