import type { PodStatus, StatusCondition } from './pod-status.js';
import { hasEnded, runnerOf } from './pod-status.js';
import type { Milestones } from './timings.js';

/** A run pod as a list or watch shows it, reduced to what counts. */
export interface SeenPod {
  uid: string;
  name: string;
  nodeName: string | null;
  status: PodStatus;
}

/** A Job as a list or watch shows it. */
export interface SeenJob {
  suspended: boolean;
  conditions: StatusCondition[];
}

/** What an executor remembers of one rank between two looks; a plain value, so that a worker that starts again goes on from it. */
export interface TrackedRank {
  milestones: Milestones;
  job: SeenJob | null;
  /** Pod whose status counts: the first that ran, else the newest. */
  podUid: string | null;
  podName: string | null;
  nodeName: string | null;
  ranPodUid: string | null;
  laterPodUids: string[];
  pod: PodStatus | null;
  gone: boolean;
}

/** A rank whose Job was just made. */
export function newRank(nowSeconds: number): TrackedRank {
  return {
    milestones: { created: nowSeconds, podSeen: null, bound: null, running: null },
    ...{ job: null, podUid: null, podName: null, nodeName: null, ranPodUid: null, laterPodUids: [], pod: null, gone: false },
  };
}

/**
 * What is known of a rank after another look at its Job and its pods. The first terminal status of the pod that ran stays, whatever comes
 * later; conditions only ever come to it.
 *
 * @param seen present Job and pods of the rank, the oldest first; null = the server has no Job under that name.
 */
export function trackRank(before: TrackedRank, seen: { job: SeenJob | null; pods: SeenPod[] }, nowSeconds: number): TrackedRank {
  const ran = before.ranPodUid ?? seen.pods.find(({ status }) => hasRun(status))?.uid ?? null;
  const position = ran === null ? seen.pods.length - 1 : seen.pods.findIndex(({ uid }) => uid === ran);
  const counting = seen.pods[position];
  const rank: TrackedRank = { ...before, milestones: { ...before.milestones }, job: seen.job ?? before.job, ranPodUid: ran };
  if ((seen.job === null && before.job !== null) || (ran !== null && counting === undefined)) rank.gone = true;
  const later = seen.pods.slice(position + 1).map(({ uid }) => uid);
  rank.laterPodUids = [...before.laterPodUids, ...later.filter((uid) => !before.laterPodUids.includes(uid))];
  if (counting === undefined) return rank;
  const isSame = counting.uid === before.podUid;
  rank.podUid = counting.uid;
  rank.podName = counting.name;
  rank.nodeName = counting.nodeName ?? (isSame ? before.nodeName : null);
  rank.pod = isSame ? mergeStatus(before.pod, counting.status) : counting.status;
  rank.milestones.podSeen ??= nowSeconds;
  if (rank.nodeName !== null) rank.milestones.bound ??= nowSeconds;
  if (ran !== null) rank.milestones.running ??= nowSeconds;
  return rank;
}

/** A container that began to run, whatever became of it. */
function hasRun(status: PodStatus): boolean {
  const state = runnerOf(status)?.state;
  const ended = state?.terminated;
  return state?.running !== undefined || (ended !== undefined && ended.startedAt !== undefined && ended.startedAt !== null);
}

/**
 * The newer status, except that the end of the pod stays as it was told first, the end of its runner too, and that no condition that was
 * true is forgotten. A kubelet may tell of the container first and of the pod, with its reason, later.
 */
function mergeStatus(before: PodStatus | null, now: PodStatus): PodStatus {
  if (before === null) return now;
  const isTrue = ({ conditions = [] }: PodStatus, type: string): boolean =>
    conditions.some((one) => one.type === type && one.status === 'True');
  const kept = (before.conditions ?? []).filter(({ type, status }) => status === 'True' && !isTrue(now, type));
  const conditions = [...(now.conditions ?? []), ...kept];
  const ended = runnerOf(before)?.state?.terminated === undefined ? {} : { containerStatuses: before.containerStatuses };
  const base = hasEnded(before) ? before : { ...now, ...ended };
  return conditions.length === 0 ? base : { ...base, conditions };
}
