import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';
import { watchCollection, WATCH_TIMINGS } from './kube-watch.js';
import type { WatchTimings } from './kube-watch.js';
import { LABELS, OURS } from './labels.js';
import { createObjectCache } from './object-cache.js';
import type { ObjectCache } from './object-cache.js';
import { resourcePath } from './resource-path.js';

/** What all executions of a process look at: two watches, however many they are. */
export interface WatchedCluster {
  connection: KubeConnection;
  jobs: ObjectCache;
  pods: ObjectCache;
}

export interface ClusterWatch {
  /**
   * The caches, once both have been listed. The watches begin with the first call.
   *
   * @throws AppError `cluster-unreachable` where that takes too long, with the last reason.
   */
  filled(): Promise<WatchedCluster>;
  close(): void;
}

/** How long the first list may take. */
const FILL_SECONDS = 60;

/** Watches of the Jobs and pods that executors made in a namespace. */
export function createClusterWatch(connection: KubeConnection, namespace: string, timings: WatchTimings = WATCH_TIMINGS): ClusterWatch {
  const stop = new AbortController();
  let lastProblem: unknown = null;
  const keep = (error: unknown): void => {
    lastProblem = error;
  };
  const caches = { jobs: createObjectCache(keep), pods: createObjectCache(keep) };
  let begun = false;
  const begin = (): void => {
    begun = true;
    const labelSelector = `${LABELS.managedBy}=${OURS.managedBy}`;
    for (const collection of ['jobs', 'pods'] as const) {
      const path = resourcePath(collection, namespace);
      void watchCollection(connection, { path, labelSelector, timings, signal: stop.signal }, caches[collection]);
    }
  };
  return {
    async filled() {
      if (!begun) begin();
      const late = new AbortController();
      const isLate = sleep(FILL_SECONDS * 1000, true, { ref: false, signal: late.signal }).catch(() => false);
      const all = Promise.all([caches.jobs.filled, caches.pods.filled]).then(() => false);
      const timedOut = await Promise.race([all, isLate]);
      late.abort();
      if (!timedOut) return { connection, ...caches };
      const words = lastProblem instanceof Error ? lastProblem.message : `no answer in ${FILL_SECONDS} s`;
      throw new AppError('cluster-unreachable', `the executions in ${namespace} cannot be watched: ${words}`, { cause: lastProblem });
    },
    close() {
      stop.abort();
      connection.close();
    },
  };
}
