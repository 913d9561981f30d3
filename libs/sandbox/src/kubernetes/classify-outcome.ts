import { classified } from './outcome-class.js';
import type { Classification, OutcomeClass } from './outcome-class.js';
import { runnerOf, trueCondition } from './pod-status.js';
import type { TerminatedState } from './pod-status.js';
import { classifyStart } from './classify-start.js';
import { hasFinished, hasResult, wasDisrupted } from './rank-observation.js';
import type { RankObservation } from './rank-observation.js';

/** Exit codes of the supervisor that say what failed before the script could count. */
export const SUPERVISOR_FAILURES: Readonly<Record<number, { class: OutcomeClass; words: string }>> = {
  64: { class: 'harness', words: 'the supervisor could not read its configuration' },
  65: { class: 'harness', words: 'what was handed to the supervisor does not fit its checksum' },
  66: { class: 'infra-gpu', words: 'the node failed the check before the run' },
  67: { class: 'infra-net', words: 'ranks could not reach each other' },
  68: { class: 'infra-isolation', words: 'it could not be proven that the pod is isolated' },
  70: { class: 'harness', words: 'the supervisor failed' },
};
/** Exit code of a supervisor that was stopped from outside. */
export const STOPPED_STATUS = 75;

/** Memory in use at the last heartbeat from which on a kill without a reason may have been one for want of memory. */
const SUSPECT_MEMORY_SHARE = 0.9;

/**
 * Xid numbers that mean broken or lost hardware: double-bit ECC, row remapping, page retirement, bus, NVLink, contained and uncontained
 * ECC, GSP (NVIDIA, "XID Errors"). Those that a program can cause by itself (13, 31, 43, 45, 68, 109) are not among them.
 */
const HARDWARE_XIDS: ReadonlySet<number> = new Set([48, 63, 64, 74, 79, 94, 95, 119, 120]);

/**
 * How one rank of an execution ended: the table of outcomes, first match wins. Only the class `script` may be judged, and it needs the
 * END frame of the pod that ran first, so that no state of a cluster can be mistaken for what a script did.
 *
 * Two rows are stricter than a look at the pod would allow. A kill for want of memory or disk without an END frame is never judged: it is
 * repeated with more room, where the supervisor itself meets the trial's own limit and says so in its evidence. And what finished is not
 * believed where the cluster had begun to take the pod away before.
 */
export function classifyOutcome(rank: RankObservation): Classification {
  return (
    classifyAbsence(rank) ??
    classifyDisruption(rank) ??
    classifyStart(rank) ??
    classifySupervisor(rank) ??
    (hasFinished(rank) ? classifyFinished(rank) : null) ??
    classifyEviction(rank) ??
    classifyKill(rank) ??
    classifyRest(rank)
  );
}

/** Rows 1 to 3: taken back, gone, or not the one execution that counts. */
function classifyAbsence(rank: RankObservation): Classification | null {
  if (rank.cancelled) return classified('cancelled', 'the execution was cancelled');
  if (hasResult(rank)) return null;
  if (rank.gone) return classified('infra-lost', 'its objects are gone and left no result');
  if (rank.laterPodUids.length > 0)
    return classified('infra-duplicate', `pod ${rank.laterPodUids[0] ?? ''} began beside ${String(rank.ranPodUid)}`);
  if (rank.job?.suspended === true && rank.ranPodUid !== null) return classified('infra-preempted', 'the Job was suspended while it ran');
  return null;
}

/** Row 4. Evictions by the kubelet carry the same condition and have rows of their own. */
function classifyDisruption(rank: RankObservation): Classification | null {
  const { pod } = rank;
  if (pod === null || !wasDisrupted(rank) || pod.reason === 'Evicted') return null;
  const condition = trueCondition(pod.conditions, 'DisruptionTarget');
  return classified('infra-disrupted', `the pod was taken away: ${condition?.reason ?? pod.reason ?? ''} ${condition?.message ?? ''}`);
}

/** Rows 9, 10 and 21: the supervisor's own word, before anything else that it wrote. */
function classifySupervisor({ pod }: RankObservation): Classification | null {
  const failure = SUPERVISOR_FAILURES[terminatedOf(pod)?.exitCode ?? 0];
  return failure === undefined ? null : classified(failure.class, `${failure.words}: ${terminatedOf(pod)?.message ?? ''}`);
}

/** Row 13, unless the hardware under it failed or the pod was evicted meanwhile. */
function classifyFinished(rank: RankObservation): Classification | null {
  const xid = rank.node.xids.find((number) => HARDWARE_XIDS.has(number));
  if (xid !== undefined) return classified('infra-gpu', `the driver told of broken hardware (Xid ${xid})`);
  if (rank.node.nvmlLost) return classified('infra-gpu', 'the GPU was lost to the container during the run');
  if (rank.node.sharedMemoryFull) return classified('resource-misfit', '/dev/shm was full when a process was ended by SIGBUS');
  return wasDisrupted(rank) ? null : classified('script', 'the supervisor finished');
}

/** Rows 11 and 12. */
function classifyEviction({ pod }: RankObservation): Classification | null {
  if (pod?.reason !== 'Evicted') return null;
  const message = pod.message ?? '';
  const overLimit =
    message.includes('exceeds the total limit') ||
    message.includes('exceeds the limit') ||
    message.includes('exceeded its local ephemeral storage limit');
  if (overLimit) return classified('script-disk', `evicted: ${message}`);
  if (message.includes('was low on resource')) return classified('infra-node-pressure', `evicted: ${message}`);
  return classified('infra-disrupted', `evicted: ${message}`);
}

/** Rows 14 to 16. */
function classifyKill(rank: RankObservation): Classification | null {
  const ended = terminatedOf(rank.pod);
  if (ended?.exitCode === 137 && ended.reason === 'OOMKilled')
    return classified('script-oom-host', 'the container was killed at its memory limit before the supervisor could report');
  const share = rank.node.memoryShare ?? 0;
  if (rank.runtime === 'gvisor' && (ended?.exitCode === 128 || ended?.exitCode === 137) && share > SUSPECT_MEMORY_SHARE)
    return classified('oom-suspect', `killed with ${Math.round(share * 100)} % of its memory in use`);
  if (ended?.exitCode === STOPPED_STATUS || (rank.end.state === 'whole' && rank.end.kind === 'stopped'))
    return classified('infra-stopped', 'the supervisor was stopped from outside');
  return null;
}

/** Rows 17 to 20 and 22. */
function classifyRest(rank: RankObservation): Classification {
  const ended = terminatedOf(rank.pod);
  const failed = trueCondition(rank.job?.conditions, 'Failed');
  if (failed?.reason === 'DeadlineExceeded') return classified('supervisor-lost', 'the Job reached its deadline without an END frame');
  if (rank.overdue === 'run') return classified('supervisor-lost', 'no END frame came in time');
  if (ended?.exitCode === 137 || ended?.reason === 'ContainerStatusUnknown')
    return classified('infra-sigkill-unknown', `killed, and nothing says by whom (${ended.reason ?? 'no reason'})`);
  if (ended?.exitCode === 0) return classified('log-incomplete', `the container ended but its log is not whole: ${problemOf(rank)}`);
  if (rank.overdue === 'creation' && rank.pod === null)
    return classified('infra-control-plane', 'the Job got no pod, and nothing says why');
  return classified(
    'infra-unknown',
    ended === null ? 'nothing that is known explains it' : `exit ${ended.exitCode}, ${ended.reason ?? 'no reason'}`,
  );
}

function problemOf({ end, ranPodUid }: RankObservation): string {
  if (end.state === 'broken') return end.problem;
  if (end.state === 'whole' && end.podUid !== ranPodUid) return 'its END frame names another pod';
  return 'it has no END frame';
}

function terminatedOf(pod: RankObservation['pod']): TerminatedState | null {
  return runnerOf(pod)?.state?.terminated ?? null;
}
