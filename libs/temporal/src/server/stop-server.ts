import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withExclusiveLock } from './exclusive-lock.js';
import { isSameProcess } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';
import { serverPaths } from './server-paths.js';
import { readServerState, writeServerState } from './server-state.js';
import { findStrayServers } from './stray-server.js';

const GRACE_SECONDS = 15;
const KILL_SECONDS = 10;
const POLL_MILLISECONDS = 50;
const LOCK_PATIENCE_SECONDS = 120;

/** `not-running`: there is none of ours; a server that somebody else started is never touched. */
export type StopResult = 'stopped' | 'not-running' | 'kept';

/** Choices for {@link stopTemporalServer}. */
export interface StopOptions {
  /** Asked under the lock, right before the stop: false keeps the server (somebody has begun to use it). */
  onlyIf?: () => Promise<boolean>;
}

/**
 * Ends the server that {@link ensureTemporalServer} started for this state directory, and only that very process.
 * @throws AppError `temporal-unreachable` when another command holds the server lock too long.
 */
export async function stopTemporalServer(stateDirectory: string, options: StopOptions = {}): Promise<StopResult> {
  const paths = serverPaths(stateDirectory);
  if (!existsSync(paths.directory)) return 'not-running';
  return withExclusiveLock(paths.lockFile, { patienceSeconds: LOCK_PATIENCE_SECONDS }, async () => {
    const state = await readServerState(paths.stateFile);
    const recorded = state?.process != null && (await isSameProcess(state.process)) ? [state.process] : [];
    const live = [...recorded, ...(await findStrayServers(paths.databaseFile)).filter((stray) => stray.pid !== recorded[0]?.pid)];
    if (live.length > 0 && options.onlyIf !== undefined && !(await options.onlyIf())) return 'kept';
    for (const server of live) await endProcess(server);
    if (state !== null) await writeServerState(paths.stateFile, { ...state, process: null });
    return live.length > 0 ? 'stopped' : 'not-running';
  });
}

/** Asks the process to end, and makes it end when it does not in time; checks before each signal that it is still the same one. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGTERM', GRACE_SECONDS],
    ['SIGKILL', KILL_SECONDS],
  ] as const) {
    if (!(await isSameProcess(identity))) return;
    sendSignal(identity.pid, signal);
    if (await endsWithin(identity, seconds)) return;
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function endsWithin(identity: ProcessIdentity, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (performance.now() < deadline) {
    if (!(await isSameProcess(identity))) return true;
    await sleep(POLL_MILLISECONDS);
  }
  return false;
}
