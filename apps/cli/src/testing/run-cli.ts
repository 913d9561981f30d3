import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { INSTALLATION } from '../config.js';

const CLI_MAIN = path.join(INSTALLATION, 'apps', 'cli', 'dist', 'main.js');

/** Runs a command as a user would, in a process and a state directory of its own. */
export async function runCli(directory: string, argv: string[]): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const env = { REENACT_STATE: path.join(directory, 'state'), NO_COLOR: '1' };
  const done = await execa(process.execPath, ['--disable-warning=ExperimentalWarning', CLI_MAIN, ...argv], {
    cwd: directory,
    env,
    reject: false,
  });
  return { exitCode: done.exitCode, stdout: done.stdout, stderr: done.stderr };
}

/** The commands run from what was compiled; the start script makes the bundle, the type check alone does not. */
export async function ensureWorkflowBundle(): Promise<void> {
  const dist = path.join(INSTALLATION, 'apps', 'worker', 'dist');
  if (!existsSync(path.join(dist, 'workflow-bundle.js'))) await execa(process.execPath, [path.join(dist, 'bundle.js')]);
}
