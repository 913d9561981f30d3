import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { countOpenWorkflows } from '../client/open-workflows.js';
import { createIdleTracker } from './idle-tracker.js';
import type { IdleReason } from './idle-tracker.js';
import { startWorkerHost } from './worker-host.js';
import type { WorkerHost, WorkerHostOptions } from './worker-host.js';

/** A worker process from start to end. */
export interface RunWorkerOptions extends WorkerHostOptions {
  /** Ends the run gracefully; the host wires its process signals to it. */
  signal: AbortSignal;
  onReady?: () => void;
  /** Watch for idleness; absent = run for ever. */
  idle?: {
    afterSeconds: number;
    /** Asked when the idle time is full: true ends the worker, false goes on and counts anew. */
    onIdle: (reason: IdleReason) => boolean | Promise<boolean>;
    checkEverySeconds?: number;
  };
}

/** `signal`: asked to end; the others: idle. */
export type WorkerEnd = 'signal' | IdleReason;

const DEFAULT_CHECK_SECONDS = 15;

/**
 * Runs workers until the signal aborts or nothing is left to do, then shuts down gracefully.
 * @throws AppError `temporal-unreachable`; the SDK's error when a worker dies.
 */
export async function runWorker(options: RunWorkerOptions): Promise<WorkerEnd> {
  const host = await startWorkerHost(options).catch((error: unknown) => {
    if (options.signal.aborted) return null; // asked to end while it waited for the server
    throw error;
  });
  if (host === null) return 'signal';
  const ended = new AbortController();
  try {
    options.onReady?.();
    return await Promise.race([
      untilAborted(options.signal, ended.signal),
      untilIdle(host, options, ended.signal),
      // no worker ends by itself without a shutdown, so this only ever throws
      host.finished.then((): WorkerEnd => 'signal'),
    ]);
  } finally {
    ended.abort();
    await host.stop();
  }
}

function untilAborted(signal: AbortSignal, ended: AbortSignal): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('signal');
    signal.addEventListener('abort', () => resolve('signal'), { once: true, signal: ended });
  });
}

async function untilIdle(host: WorkerHost, options: RunWorkerOptions, ended: AbortSignal): Promise<WorkerEnd> {
  const { idle } = options;
  if (idle === undefined) return new Promise(() => undefined);
  const client = new Client({ connection: host.connection, namespace: options.connection.namespace });
  let tracker = createIdleTracker(idle.afterSeconds);
  while (!ended.aborted) {
    await sleep((idle.checkEverySeconds ?? DEFAULT_CHECK_SECONDS) * 1000, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) break;
    const reason = tracker.observe(performance.now() / 1000, await countOpenWorkflows(client).catch(() => null));
    if (reason === null) continue;
    if (await idle.onIdle(reason)) return reason;
    tracker = createIdleTracker(idle.afterSeconds);
  }
  return 'signal';
}
