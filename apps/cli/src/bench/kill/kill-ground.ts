import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, stopTemporalServer } from '@reenact/temporal/server';
import type { ProcessIdentity } from '@reenact/temporal/server';
import { INSTALLATION } from '../../config.js';
import { stopWorker } from '../../engine/ensure-worker.js';
import { statePaths } from '../../state-paths.js';
import type { KillTarget } from './kill-points.js';

const POLL_MILLISECONDS = 50;
const CLI_MAIN = path.join(INSTALLATION, 'apps', 'cli', 'dist', 'main.js');

/** A state directory of its own, in which everything may be killed. */
export interface KillGround {
  stateDirectory: string;
  /** Environment of the commands that run here. */
  variables: Record<string, string | undefined>;
  /** Arguments of `run` after the case's folder. */
  runArguments: string[];
}

/** One command under way. */
export interface Command {
  child: ChildProcess;
  /** null while it runs. */
  status(): number | null;
  output(): string;
  talk(): string;
  ended: Promise<void>;
}

/** Starts `run CASE --json …` as a user would, in a process of its own. */
export function startRunCommand(ground: KillGround, caseDirectory: string): Command {
  const argv = ['--disable-warning=ExperimentalWarning', CLI_MAIN, 'run', caseDirectory, '--json', ...ground.runArguments];
  const child = spawn(process.execPath, argv, { env: ground.variables, stdio: ['ignore', 'pipe', 'pipe'], cwd: ground.stateDirectory });
  let output = '';
  let talk = '';
  let status: number | null = null;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (talk += text));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      status = code ?? (signal === null ? 70 : 137);
      resolve();
    });
  });
  return { child, ended, status: () => status, output: () => output, talk: () => talk };
}

/** Which process a target is now; null while there is none. */
export async function findTarget(ground: KillGround, target: KillTarget, command: Command): Promise<number | null> {
  if (target === 'cli') return command.status() === null ? (command.child.pid ?? null) : null;
  const identity = target === 'worker' ? await workerIdentity(ground) : await serverIdentity(ground);
  return identity !== null && (await isSameProcess(identity)) ? identity.pid : null;
}

/** Kills a target at once, as soon as it exists. @returns false where it did not come in time. */
export async function killTarget(ground: KillGround, target: KillTarget, command: Command, patienceSeconds: number): Promise<boolean> {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const pid = await findTarget(ground, target, command);
    if (pid !== null) {
      process.kill(pid, 'SIGKILL');
      return true;
    }
    if (performance.now() > deadline || (target === 'cli' && command.status() !== null)) return false;
    await sleep(POLL_MILLISECONDS);
  }
}

/** Ends worker and server of the ground in peace. */
export async function stopEngine({ stateDirectory }: KillGround): Promise<void> {
  await stopWorker(stateDirectory);
  await stopTemporalServer(stateDirectory);
}

function workerIdentity({ stateDirectory }: KillGround): Promise<ProcessIdentity | null> {
  return readJson(statePaths(stateDirectory).workerState, (value) => value as unknown as ProcessIdentity);
}

function serverIdentity({ stateDirectory }: KillGround): Promise<ProcessIdentity | null> {
  return readJson(path.join(stateDirectory, 'temporal', 'server.json'), (value) => (value['process'] as ProcessIdentity | null) ?? null);
}

async function readJson<T>(file: string, take: (value: Record<string, unknown>) => T): Promise<T | null> {
  try {
    return take(JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>);
  } catch {
    return null;
  }
}
