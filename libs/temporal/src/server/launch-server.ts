import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { AppError } from '@reenact/domain';
import { devServerArguments, SERVER_HOST } from './dev-server-arguments.js';
import type { ServerPorts } from './free-ports.js';
import { processStartTime } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';
import { waitForServer, waitForUi } from './server-health.js';
import type { ServerHealth } from './server-health.js';
import type { ServerPaths } from './server-paths.js';
import { knowsFlag } from './temporal-cli.js';
import type { TemporalCli } from './temporal-cli.js';

const MAX_LOG_BYTES = 5_000_000;

/** One try to start the dev server. */
export interface LaunchRequest {
  cli: TemporalCli;
  paths: ServerPaths;
  ports: ServerPorts;
  namespace: string;
  startTimeoutSeconds: number;
  /** Called as soon as the process lives, before it answers. */
  onSpawn: (identity: ProcessIdentity) => Promise<void>;
}

/** `exited`: the process ended by itself before it answered; `log` holds its last words. */
export type LaunchResult = { outcome: 'healthy'; health: ServerHealth } | { outcome: 'exited'; log: string };

/**
 * Starts the server detached, so that it outlives this process, and waits for gRPC and UI.
 * @throws AppError `temporal-unreachable` when it neither answers nor ends in time; it is ended then.
 */
export async function launchServer(request: LaunchRequest): Promise<LaunchResult> {
  const { paths, ports, namespace } = request;
  await rotateLog(paths.logFile);
  const logStart = await stat(paths.logFile).then(
    (status) => status.size,
    () => 0,
  );
  const child = await spawnServer(request);
  const ended = watchEnd(child);
  const startTime = child.pid === undefined ? null : await processStartTime(child.pid);
  if (child.pid === undefined || startTime === null) return { outcome: 'exited', log: await logFrom(paths.logFile, logStart) };
  await request.onSpawn({ pid: child.pid, startTime });

  const waiting = AbortSignal.any([ended, AbortSignal.timeout(request.startTimeoutSeconds * 1000)]);
  const health = await waitForServer({ address: `${SERVER_HOST}:${ports.port}`, namespace }, waiting);
  const uiAnswers = health !== null && (await waitForUi(`http://${SERVER_HOST}:${ports.uiPort}/`, waiting));
  if (ended.aborted) return { outcome: 'exited', log: await logFrom(paths.logFile, logStart) };
  if (health !== null && uiAnswers) {
    child.unref();
    return { outcome: 'healthy', health };
  }
  child.kill('SIGKILL');
  throw new AppError('temporal-unreachable', `The Temporal server did not answer within ${request.startTimeoutSeconds} s.`, {
    hint: `Look into ${paths.logFile}.`,
  });
}

async function spawnServer({ cli, paths, ports, namespace }: LaunchRequest): Promise<ChildProcess> {
  const canDisableNews = await knowsFlag(cli.path, '--ui-disable-news-fetch');
  const args = devServerArguments({ ...ports, databaseFile: paths.databaseFile, namespace, canDisableNews });
  const log = openSync(paths.logFile, 'a');
  try {
    // A small environment of its own: TEMPORAL_* variables of the user would steer the program, and its home is the state directory.
    const env = { HOME: paths.directory, PATH: ['/usr/bin', '/bin'].join(delimiter), NO_COLOR: '1' };
    return spawn(cli.path, args, { detached: true, stdio: ['ignore', log, log], cwd: paths.directory, env });
  } finally {
    closeSync(log);
  }
}

function watchEnd(child: ChildProcess): AbortSignal {
  const controller = new AbortController();
  child.once('error', () => controller.abort());
  child.once('exit', () => controller.abort());
  return controller.signal;
}

async function rotateLog(logFile: string): Promise<void> {
  const status = await stat(logFile).catch(() => null);
  if (status !== null && status.size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

async function logFrom(logFile: string, offset: number): Promise<string> {
  if (!existsSync(logFile)) return '';
  return (await readFile(logFile)).subarray(offset).toString('utf8').trim().slice(-2000);
}
