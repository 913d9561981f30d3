import { LABELS } from './labels.js';
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

/** Which rank of its execution a pod is, as the Job's controller labelled it; null = it is none. */
export function rankOf({ metadata }: WatchedObject): number | null {
  const index = metadata.labels?.[LABELS.index];
  return index !== undefined && /^\d{1,4}$/.test(index) ? Number(index) : null;
}
