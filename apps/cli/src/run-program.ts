import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommanderError } from 'commander';
import { isAppError } from '@reenact/domain';
import type { CommandHost } from './commands/command-context.js';
import { loadConfiguration } from './config.js';
import { crashReport, renderError, renderUnexpected } from './messages.js';
import { buildProgram } from './program.js';
import { statePaths } from './state-paths.js';

const USAGE = 2;
const OUR_BUG = 70;

/**
 * Runs one command line to its end.
 * @param argv words after the program's name.
 * @returns the exit status: that of the command, of its error (the table in `errors.ts`), 2 for usage, 70 for what nobody expected.
 */
export async function runProgram(argv: readonly string[], host: CommandHost): Promise<number> {
  try {
    await buildProgram(host).parseAsync([...argv], { from: 'user' });
    return host.exitStatus;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    if (!isAppError(error)) {
      host.console.talk(renderUnexpected(error, await saveCrash(error, argv)));
      return OUR_BUG;
    }
    host.console.talk(renderError(error));
    if (argv.includes('--verbose') || argv.includes('-v')) host.console.talk(`${crashReport(error, argv[0] ?? '')}`);
    return error.exitStatus;
  }
}

/** Writes the details of an unexpected error; null where even that fails. */
async function saveCrash(error: unknown, argv: readonly string[]): Promise<string | null> {
  try {
    const { crashes } = statePaths(loadConfiguration().stateDirectory);
    await mkdir(crashes, { recursive: true });
    const file = path.join(crashes, `${new Date().toISOString().replaceAll(':', '-')}.txt`);
    await writeFile(file, crashReport(error, argv[0] ?? ''));
    return file;
  } catch {
    return null;
  }
}
