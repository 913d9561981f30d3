import { availableParallelism } from 'node:os';
import type { WorkerOptions } from '@temporalio/worker';
import { QUEUES } from '../client/queues.js';
import type { QueueName } from '../client/queues.js';

/** Concurrency and patience of one queue's worker. */
export interface QueueProfile {
  /** Activities at once; for the jobs queue = trials at once on this machine. */
  slots: number;
  /** How long running activities may go on after a shutdown began (temporal.md section 8). */
  graceSeconds: number;
}

/** Profiles of temporal.md section 3.5 for one machine with `cores` cores. */
export function queueProfiles(cores: number = availableParallelism()): Record<QueueName, QueueProfile> {
  const perCore = Math.max(1, cores);
  return {
    [QUEUES.workflows]: { slots: 0, graceSeconds: 20 },
    [QUEUES.core]: { slots: 100, graceSeconds: 20 },
    [QUEUES.index]: { slots: perCore, graceSeconds: 60 },
    [QUEUES.llm]: { slots: 50, graceSeconds: 120 },
    [QUEUES.environments]: { slots: perCore, graceSeconds: 60 },
    [QUEUES.jobsCpu]: { slots: perCore, graceSeconds: 5 },
  };
}

/** Where the workflow code comes from. */
export type WorkflowSource = { type: 'bundle'; codePath: string } | { type: 'path'; workflowsPath: string };

/** Short, since people wait for a cancelled trial; temporal.md section 3.6 has 15 s for thousands of jobs in a cluster. */
const HEARTBEAT_THROTTLE_MILLISECONDS = 3_000;

const SHUTDOWN_MARGIN_SECONDS = 15;

/** The options that all workers of one kind share; the pure part of {@link startWorkerHost}. */
export function limitsOf({ slots, graceSeconds }: QueueProfile): Omit<WorkerOptions, 'taskQueue'> {
  const shared = {
    shutdownGraceTime: graceSeconds * 1000,
    shutdownForceTime: (graceSeconds + SHUTDOWN_MARGIN_SECONDS) * 1000,
    // the throttle is the latency of a cancellation
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MILLISECONDS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MILLISECONDS,
  };
  if (slots > 0) return { ...shared, maxConcurrentActivityTaskExecutions: slots };
  return {
    ...shared,
    maxConcurrentWorkflowTaskExecutions: 100,
    maxConcurrentWorkflowTaskPolls: 10,
    maxCachedWorkflows: 500,
    workflowThreadPoolSize: 1,
  };
}
