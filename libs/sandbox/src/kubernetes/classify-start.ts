import { classified } from './outcome-class.js';
import type { Classification } from './outcome-class.js';
import { runnerOf } from './pod-status.js';
import type { RankObservation } from './rank-observation.js';

/** Reasons of a pod that a kubelet turned away before it made a container, beside those that begin with `OutOf`. */
const REJECTIONS: ReadonlySet<string> = new Set([
  'UnexpectedAdmissionError',
  'NodeAffinity',
  'NodePorts',
  'NodeName',
  'PodOSNotSupported',
  'SupplementalGroupsPolicyNotSupported',
]);

/** Waiting reasons that only a change of ours can mend. */
const OURS: ReadonlySet<string> = new Set(['CreateContainerConfigError', 'InvalidImageName', 'ErrImageNeverPull']);
const PULLING: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable']);

/** A registry's answer that will be the same next time; every other failure of a pull may pass. */
const FINAL_PULL_FAILURE =
  /not ?found|manifest unknown|name unknown|unauthori[sz]ed|authentication required|access denied|authorization failed|\b40[134]\b/i;
/** …unless it is one of these, whatever else the message names. */
const PASSING_PULL_FAILURE =
  /\b429\b|too many requests|toomanyrequests|\b50[0234]\b|timeout|timed out|deadline exceeded|connection re(?:set|fused)/i;

/** Rows 5 to 8: why the runner never ran; null where it did, or where nothing of it is known. */
export function classifyStart(rank: RankObservation): Classification | null {
  const runner = runnerOf(rank.pod);
  const ended = runner?.state?.terminated;
  if (ended?.reason === 'StartError' || ended?.reason === 'ContainerCannotRun')
    return classified('config', `the container cannot start: ${ended.message ?? ''}`);
  if (rank.ranPodUid !== null || ended !== undefined || runner?.state?.running !== undefined) return null;
  return classifyRejection(rank) ?? classifyWaiting(rank) ?? classifyPlacement(rank);
}

/** Row 5: a node did not take the pod. */
function classifyRejection({ pod }: RankObservation): Classification | null {
  const reason = pod?.reason ?? '';
  const message = pod?.message ?? '';
  const nodeIsFull = reason === 'Evicted' && message.includes('node had condition');
  if (!REJECTIONS.has(reason) && !reason.startsWith('OutOf') && !nodeIsFull) return null;
  return classified('infra-node-admission', `the node did not take the pod: ${reason} ${message}`);
}

/** Rows 6 and 7: it has a node and waits there. */
function classifyWaiting({ pod }: RankObservation): Classification | null {
  const waiting = runnerOf(pod)?.state?.waiting;
  const reason = waiting?.reason ?? '';
  const message = waiting?.message ?? '';
  if (OURS.has(reason)) return classified('config', `the container cannot be made: ${reason} ${message}`);
  if (!PULLING.has(reason)) return null;
  const isFinal = FINAL_PULL_FAILURE.test(message) && !PASSING_PULL_FAILURE.test(message);
  return classified(isFinal ? 'config' : 'infra-image', `the image does not come: ${message}`);
}

/** Rows 7 and 8: it has no pod, or its pod has no node. */
function classifyPlacement(rank: RankObservation): Classification | null {
  if (rank.workloadInactive) return classified('capacity', 'the queue has put the workload aside');
  const quota = rank.refusals.find((message) => message.includes('exceeded quota'));
  if (quota !== undefined) return classified('capacity', quota);
  // A webhook that does not answer says nothing about the pod.
  const refusal = rank.refusals.find((message) => !message.includes('failed calling webhook'));
  if (refusal !== undefined) return classified('config', `no pod could be made: ${refusal}`);
  if (rank.refusals[0] !== undefined) return classified('infra-control-plane', rank.refusals[0]);
  const unplaced = rank.pod?.conditions?.find((condition) => condition.type === 'PodScheduled' && condition.status === 'False');
  if (unplaced !== undefined) return classified('capacity', `no node takes the pod: ${unplaced.message ?? ''}`);
  return rank.overdue === 'scheduling' ? classified('capacity', 'no node took the pod in time') : null;
}
