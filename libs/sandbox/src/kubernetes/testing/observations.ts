import type { PodStatus, TerminatedState } from '../pod-status.js';
import type { RankObservation } from '../rank-observation.js';

/** UID of the pod that counts in observations made here. */
export const POD_UID = 'pod-1';

/** An END frame of that pod, whole, with the protocol finished or stopped. */
export function wholeEnd(kind: 'finished' | 'stopped' = 'finished'): RankObservation['end'] {
  return { state: 'whole', podUid: POD_UID, kind };
}

/** A pod whose runner ended. */
export function endedPod(exitCode: number, reason?: string, pod: Partial<PodStatus> = {}): PodStatus {
  const terminated: TerminatedState = {
    exitCode,
    startedAt: '2026-05-01T09:00:00Z',
    finishedAt: '2026-05-01T10:00:00Z',
    ...(reason === undefined ? {} : { reason }),
  };
  return { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses: [{ name: 'runner', state: { terminated } }], ...pod };
}

/** A pod that has a node and whose runner waits there. */
export function waitingPod(reason: string, message: string): PodStatus {
  return { phase: 'Pending', containerStatuses: [{ name: 'runner', state: { waiting: { reason, message } } }] };
}

/** A condition that is true, at an offset from the moment at which `endedPod` ends. */
export function condition(type: string, reason: string, offsetSeconds = 0, message = ''): NonNullable<PodStatus['conditions']>[number] {
  const at = new Date(Date.parse('2026-05-01T10:00:00Z') + offsetSeconds * 1000).toISOString();
  return { type, status: 'True', reason, message, lastTransitionTime: at };
}

/** A rank that ran and of which nothing else is known, changed by `parts`. */
export function observation(parts: Partial<RankObservation> = {}): RankObservation {
  return {
    cancelled: false,
    gone: false,
    job: { suspended: false, conditions: [] },
    ranPodUid: POD_UID,
    laterPodUids: [],
    pod: null,
    end: { state: 'missing' },
    overdue: 'none',
    refusals: [],
    workloadInactive: false,
    runtime: 'runc',
    node: { xids: [], nvmlLost: false, sharedMemoryFull: false, memoryShare: null },
    ...parts,
  };
}
