import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import { QUEUES } from '@reenact/domain';
import type {
  BisectionActivities,
  CoreActivities,
  EnvironmentActivities,
  JobActivities,
  MaintenanceActivities,
  MinimiseActivities,
  ModelActivities,
  SubjectActivities,
} from '@reenact/domain';

/** `cancellationType` is always set: the SDK's real default is TRY_CANCEL, which cleans up too early (temporal.md 3.6). */
const waitForCancel = { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

/**
 * How soon work of a worker that died is given to the next one. Every activity sends heartbeats (see `heartbeatInterceptor`), passed on
 * at most every 3 s, so that some may get lost on a busy laptop before a live worker is taken for dead.
 */
const DEAD_WORKER = '15s';
/** Reading, chunking and searching a big project may hold a worker's event loop for a while. */
const DEAD_BUSY_WORKER = '30s';

/** Total time bounds an activity, not the number of attempts: a worker's shutdown uses one up (temporal.md 3.6). */
const quick: ActivityOptions = {
  ...waitForCancel,
  taskQueue: QUEUES.core,
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '1h',
  heartbeatTimeout: DEAD_WORKER,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

export const core = proxyActivities<CoreActivities>(quick);

/** What a sweep leaves undone is done by the next. */
export const maintenance = proxyActivities<MaintenanceActivities>({
  ...quick,
  startToCloseTimeout: '15m',
  scheduleToCloseTimeout: '25m',
  heartbeatTimeout: DEAD_BUSY_WORKER,
});

export const minimising = proxyActivities<MinimiseActivities>(quick);

/** Reading a long history may take a while. */
export const bisection = proxyActivities<BisectionActivities>({ ...quick, startToCloseTimeout: '15m', heartbeatTimeout: DEAD_BUSY_WORKER });

const indexing: ActivityOptions = {
  ...quick,
  taskQueue: QUEUES.index,
  startToCloseTimeout: '15m',
  scheduleToCloseTimeout: '2h',
  heartbeatTimeout: DEAD_BUSY_WORKER,
};

export const subjects = proxyActivities<Omit<SubjectActivities, 'retrieveContexts'>>(indexing);

/**
 * The first embedding of a tree takes seconds to a minute with a model in a directory, far longer at a slow endpoint, and a cluster takes
 * minutes to load a big tree. What was embedded is kept, so that a try that ran out of time goes on where it stopped.
 */
export const retrieval = proxyActivities<Pick<SubjectActivities, 'retrieveContexts'>>({
  ...indexing,
  startToCloseTimeout: '30m',
  scheduleToCloseTimeout: '4h',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '2m' },
});

export const environments = proxyActivities<EnvironmentActivities>({
  ...quick,
  taskQueue: QUEUES.environments,
  startToCloseTimeout: '60m',
  scheduleToCloseTimeout: '4h',
});

export const models = proxyActivities<ModelActivities>({
  ...quick,
  taskQueue: QUEUES.llm,
  // An answer may take long at a slow endpoint; heartbeats tell a slow call from a dead worker.
  startToCloseTimeout: '15m',
  scheduleToCloseTimeout: '6h',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '2m' },
});

export const jobs = proxyActivities<JobActivities>({
  ...quick,
  taskQueue: QUEUES.jobsCpu,
  startToCloseTimeout: '8h',
  scheduleToCloseTimeout: '36h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});
