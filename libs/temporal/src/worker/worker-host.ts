import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { AppError } from '@reenact/domain';
import { QUEUES } from '../client/queues.js';
import type { QueueName } from '../client/queues.js';
import type { TemporalConnectionOptions } from '../client/connection.js';
import { dataConverter } from '../client/data-converter.js';
import { activityFailureInterceptor } from './activity-failures.js';
import { heartbeatInterceptor } from './heartbeat-interceptor.js';
import { resolveWorkspace } from './bundle-workflows.js';
import type { ActivityMap } from './merge-activities.js';
import { connectNative } from './native-connection.js';
import { installRuntime } from './runtime.js';
import type { WorkerLogger } from './runtime.js';
import { limitsOf, queueProfiles } from './worker-options.js';
import type { WorkflowSource } from './worker-options.js';

/** Which workers to run in this process. */
export interface WorkerHostOptions {
  connection: TemporalConnectionOptions;
  queues: readonly QueueName[];
  /** Activities of each queue; the workflow queue has none. */
  activities: Partial<Record<QueueName, ActivityMap>>;
  /** Needed when the workflow queue is among the queues. */
  workflows?: WorkflowSource | undefined;
  logger: WorkerLogger;
  /** Other numbers of activities at once than {@link queueProfiles} gives. */
  slots?: Partial<Record<QueueName, number>>;
  identity?: string | undefined;
  connectPatienceSeconds?: number | undefined;
  /** Ends the waiting for the server. */
  signal?: AbortSignal | undefined;
}

/** Running workers. */
export interface WorkerHost {
  readonly connection: NativeConnection;
  /** Ends when all workers have ended; rejects when one fails, after the others were stopped. */
  readonly finished: Promise<void>;
  /** True while every worker polls: readiness. */
  isReady(): boolean;
  /** Lets running activities end within their grace; safe to call again. */
  stop(): Promise<void>;
}

const DEFAULT_CONNECT_PATIENCE_SECONDS = 60;

/**
 * Starts one worker for each queue in this process, over one connection. Signals stay with the caller.
 * @throws AppError `temporal-unreachable`, `internal` for a queue without activities; the SDK's error when options or the bundle are wrong.
 */
export async function startWorkerHost(options: WorkerHostOptions): Promise<WorkerHost> {
  installRuntime(options.logger);
  const patience = options.connectPatienceSeconds ?? DEFAULT_CONNECT_PATIENCE_SECONDS;
  const connection = await connectNative(options.connection, patience, options.signal);
  try {
    const workers = await Promise.all(options.queues.map((queue) => createWorker(connection, queue, options)));
    return runAll(connection, workers);
  } catch (error) {
    // Workers that were made before the one that failed hold the connection: their complaint must not hide the error.
    await connection.close().catch(() => undefined);
    throw error;
  }
}

function createWorker(connection: NativeConnection, taskQueue: QueueName, options: WorkerHostOptions): Promise<Worker> {
  const profile = queueProfiles()[taskQueue];
  const limits = limitsOf({ ...profile, slots: taskQueue === QUEUES.workflows ? 0 : (options.slots?.[taskQueue] ?? profile.slots) });
  return Worker.create({
    connection,
    namespace: options.connection.namespace,
    taskQueue,
    dataConverter: dataConverter(),
    interceptors: { activity: [activityFailureInterceptor, heartbeatInterceptor()] },
    ...limits,
    ...(options.identity !== undefined && { identity: `${options.identity}/${taskQueue}` }),
    ...(taskQueue === QUEUES.workflows ? workflowOptions(options.workflows) : { activities: activitiesOf(taskQueue, options) }),
  });
}

function activitiesOf(taskQueue: QueueName, { activities }: WorkerHostOptions): ActivityMap {
  const map = activities[taskQueue] ?? {};
  if (Object.keys(map).length === 0) throw new AppError('internal', `The queue ${taskQueue} has no activities.`);
  return map;
}

function workflowOptions(source: WorkflowSource | undefined): object {
  if (source === undefined) throw new AppError('internal', `The queue ${QUEUES.workflows} needs the workflows.`);
  if (source.type === 'bundle') return { workflowBundle: { codePath: source.codePath } };
  return { workflowsPath: source.workflowsPath, bundlerOptions: { webpackConfigHook: resolveWorkspace } };
}

function runAll(connection: NativeConnection, workers: readonly Worker[]): WorkerHost {
  const shutDown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runs = workers.map((worker) =>
    worker.run().catch((error: unknown) => {
      shutDown();
      throw error;
    }),
  );
  const finished = Promise.allSettled(runs).then(async (results) => {
    await connection.close();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  });
  finished.catch(() => undefined); // the caller awaits it later or through stop()
  return {
    connection,
    finished,
    isReady: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    stop: () => {
      shutDown();
      return finished;
    },
  };
}
