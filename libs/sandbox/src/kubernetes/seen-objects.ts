import type { PodStatus, StatusCondition } from './pod-status.js';
import type { SeenJob, SeenPod } from './track-rank.js';
import type { WatchedObject } from './watch-messages.js';

/** What counts of a Job as the API server sends it. */
export function seenJob(job: WatchedObject): SeenJob {
  const spec = (job['spec'] ?? {}) as { suspend?: unknown };
  const status = (job['status'] ?? {}) as { conditions?: StatusCondition[] };
  return { suspended: spec.suspend === true, conditions: status.conditions ?? [] };
}

/** What counts of a pod as the API server sends it. */
export function seenPod(pod: WatchedObject): SeenPod {
  const spec = (pod['spec'] ?? {}) as { nodeName?: unknown };
  return {
    uid: pod.metadata.uid,
    name: pod.metadata.name,
    nodeName: typeof spec.nodeName === 'string' ? spec.nodeName : null,
    status: (pod['status'] ?? {}) as PodStatus,
  };
}
