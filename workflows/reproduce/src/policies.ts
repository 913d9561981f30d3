import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import { QUEUES } from '@reenact/domain';
import type { CoreActivities, EnvironmentActivities, JobActivities, ModelActivities, SubjectActivities } from '@reenact/domain';

/** `cancellationType` is always set: the SDK's real default is TRY_CANCEL, which cleans up too early (temporal.md 3.6). */
const waitForCancel = { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

/** Total time bounds an activity, not the number of attempts: a worker's shutdown uses one up (temporal.md 3.6). */
const quick: ActivityOptions = {
  ...waitForCancel,
  taskQueue: QUEUES.core,
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

export const core = proxyActivities<CoreActivities>(quick);

export const subjects = proxyActivities<SubjectActivities>({
  ...quick,
  taskQueue: QUEUES.index,
  startToCloseTimeout: '15m',
  scheduleToCloseTimeout: '2h',
  heartbeatTimeout: '60s',
});

export const environments = proxyActivities<EnvironmentActivities>({
  ...quick,
  taskQueue: QUEUES.environments,
  startToCloseTimeout: '60m',
  scheduleToCloseTimeout: '4h',
  heartbeatTimeout: '60s',
});

export const models = proxyActivities<ModelActivities>({
  ...quick,
  taskQueue: QUEUES.llm,
  // An answer may take long at a slow endpoint; heartbeats tell a slow call from a dead worker.
  startToCloseTimeout: '15m',
  scheduleToCloseTimeout: '6h',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '2m' },
});

export const jobs = proxyActivities<JobActivities>({
  ...quick,
  taskQueue: QUEUES.jobsCpu,
  startToCloseTimeout: '8h',
  scheduleToCloseTimeout: '36h',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});
