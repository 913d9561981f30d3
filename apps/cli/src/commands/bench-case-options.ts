import path from 'node:path';
import type { Command } from 'commander';
import type { Share } from '../bench/share.js';
import { AppError } from '@reenact/domain';
import { createEnvironmentBuilder, findInterpreter } from '@reenact/environment';
import { collect } from './command-context.js';
import type { CommandContext } from './command-context.js';

/** Options of benches over cases, as commander reads them. */
export interface BenchOptions {
  cases: string;
  python?: string;
  with: string[];
  controlPython?: string;
  parallel?: number;
  most?: number;
  share?: Share;
  unsandboxed?: boolean;
  resume?: boolean;
}

/** The cases, and the environment to judge in. */
export function withCaseOptions(command: Command): Command {
  return withEnvironmentOptions(
    command.requiredOption('--cases <dir>', 'folder of cases: report.md, project/, truth.json, reference_repro.py, …'),
  );
}

/** The environment to judge in. */
export function withEnvironmentOptions(command: Command): Command {
  return command
    .option('--python <path>', 'interpreter of the environment to judge in')
    .option('--with <requirement>', 'build an environment with this instead (repeatable)', collect, [])
    .option('--unsandboxed', 'run even where this system allows no isolation');
}

/** The interpreter named, or that of the environment built for `--with`. @throws AppError `interpreter-not-found`. */
export async function chosenPython(context: CommandContext, options: Pick<BenchOptions, 'python' | 'with'>): Promise<string> {
  const { configuration } = context;
  if (options.with.length === 0) {
    const found = await findInterpreter(options.python ?? 'python3', configuration.searchPath);
    if (found === null)
      throw new AppError('interpreter-not-found', `No interpreter ${options.python ?? 'python3'} was found.`, {
        hint: 'Name one with --python PATH, or build one with --with.',
      });
    return path.resolve(context.workingDirectory, found);
  }
  const pip = configuration.python ?? (await findInterpreter('python3', configuration.searchPath)) ?? 'python3';
  const builder = createEnvironmentBuilder({ stateDirectory: configuration.stateDirectory, searchPath: configuration.searchPath, pip });
  const python = options.python ?? null;
  const request = { interpreter: null, pythonVersion: python, anyPython: false, requirements: options.with, cutOffDate: null, asked: [] };
  return (await builder.build(request, { signal: new AbortController().signal, onProgress: context.report })).interpreter;
}

/** For benches that take long: rows are kept as they come. */
export function withResume(command: Command): Command {
  return command.option('--resume', 'take the rows that the same command made before it was ended');
}
