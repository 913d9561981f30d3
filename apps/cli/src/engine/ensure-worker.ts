import { spawn } from 'node:child_process';
import { access, mkdir, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { Configuration } from '@reenact/domain';
import { isSameProcess, processStartTime, withExclusiveLock } from '@reenact/temporal/server';
import { INSTALLATION, workerVariables } from '../config.js';
import { statePaths } from '../state-paths.js';
import { findStrayWorkers } from './stray-workers.js';
import { workerStamp } from './build-stamp.js';
import { endProcess } from './end-process.js';
import { readWorkerState, writeWorkerState } from './worker-state.js';
import type { WorkerState } from './worker-state.js';

const LOCK_PATIENCE_SECONDS = 120;
const MAX_LOG_BYTES = 20_000_000;
const WORKER_MAIN = path.join(INSTALLATION, 'apps', 'worker', 'dist', 'main.js');

/** What {@link ensureWorker} asks the outside. */
export interface WorkerNeeds {
  /** Running workflows; a worker of an older build is replaced only when there are none. */
  countOpenRuns: () => Promise<number>;
  /** false = whichever lives is used: for looks during a run. */
  replaceOutdated: boolean;
  /** One sentence for the user. */
  report: (message: string) => void;
}

/**
 * Gives one worker process for the state directory: the recorded one when it lives, else a new one, started detached so that it
 * outlives this command. One of an older build or another configuration is asked to end and replaced when nothing runs on it.
 *
 * @returns whether a process was started.
 * @throws AppError `internal` when the worker is not built, `temporal-unreachable` when another command holds the lock too long.
 */
export async function ensureWorker(configuration: Configuration, needs: WorkerNeeds): Promise<boolean> {
  const paths = statePaths(configuration.stateDirectory);
  const stamp = await workerStamp(INSTALLATION, configuration);
  const recorded = await readWorkerState(paths.workerState);
  const isWanted = (state: WorkerState) => state.stamp === stamp || !needs.replaceOutdated;
  if (recorded !== null && isWanted(recorded) && (await isSameProcess(recorded))) return false;
  return withExclusiveLock(paths.workerLock, { patienceSeconds: LOCK_PATIENCE_SECONDS }, async () => {
    const present = await readWorkerState(paths.workerState);
    if (present !== null && (await isSameProcess(present)) && (isWanted(present) || !(await replaces(present, needs)))) return false;
    for (const stray of await findStrayWorkers(WORKER_MAIN, configuration.stateDirectory)) await endProcess(stray);
    await writeWorkerState(paths.workerState, await startWorker(configuration, stamp));
    return true;
  });
}

async function replaces(present: WorkerState, needs: WorkerNeeds): Promise<boolean> {
  const open = await needs.countOpenRuns();
  if (open > 0) {
    needs.report(
      `The worker (process ${present.pid}) is of an older build or another configuration and busy with ${open} workflow(s); it is used as it is.`,
    );
    return false;
  }
  needs.report('Replacing the worker of an older build or another configuration.');
  await endProcess(present);
  return true;
}

async function startWorker(configuration: Configuration, stamp: string): Promise<WorkerState> {
  const paths = statePaths(configuration.stateDirectory);
  await access(WORKER_MAIN).catch(() => {
    throw new AppError('internal', `The worker is not built: there is no ${WORKER_MAIN}.`, {
      hint: 'Start Reenact by its script ./reenact, which builds it.',
    });
  });
  await mkdir(paths.logs, { recursive: true });
  await rotate(paths.workerLog);
  const log = await open(paths.workerLog, 'a');
  try {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WORKER_MAIN, configuration.stateDirectory], {
      cwd: configuration.stateDirectory,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: workerVariables(configuration),
    });
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    const pid = child.pid ?? 0;
    // an empty start time never equals a live one: a worker that ended at once is started again by the next look
    return { schemaVersion: 1, pid, startTime: (await processStartTime(pid)) ?? '', stamp, startedAt: new Date().toISOString() };
  } finally {
    await log.close();
  }
}

async function rotate(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && found.size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
}

/** Whether the recorded worker is alive. */
export async function findWorker(stateDirectory: string): Promise<WorkerState | null> {
  const state = await readWorkerState(statePaths(stateDirectory).workerState);
  return state !== null && (await isSameProcess(state)) ? state : null;
}

/** Ends the worker of this state directory, and only that very process. @returns whether there was one. */
export async function stopWorker(stateDirectory: string): Promise<boolean> {
  const paths = statePaths(stateDirectory);
  const live = async () => {
    const recorded = await findWorker(stateDirectory);
    return [...(recorded === null ? [] : [recorded]), ...(await findStrayWorkers(WORKER_MAIN, stateDirectory))];
  };
  if ((await live()).length === 0) return false;
  return withExclusiveLock(paths.workerLock, { patienceSeconds: LOCK_PATIENCE_SECONDS }, async () => {
    const workers = await live();
    for (const worker of workers) await endProcess(worker);
    return workers.length > 0;
  });
}
