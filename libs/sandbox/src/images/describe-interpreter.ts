import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { AppError } from '@reenact/domain';
import type { Distribution } from '@reenact/domain';

const SUPERVISOR_MAIN = fileURLToPath(new URL('../../supervisor/main.py', import.meta.url));

/** What the supervisor says about an interpreter (`interpreter.py`): where it and everything it imports lies. */
export interface InterpreterDescription {
  interpreter: string;
  python: string;
  prefix: string;
  basePrefix: string;
  /** Folders of distributions. */
  sites: string[];
  distributions: Distribution[];
  /** Paths outside of the system's folders, links on the way first. */
  paths: string[];
  /** Paths inside of them. */
  systemPaths: string[];
  /** Folder of byte code that was compiled for sources without; null where enough is there. */
  bytecode: string | null;
}

export interface DescribeOptions {
  /** Runs the supervisor: Python ≥ 3.8. */
  supervisorPython: string;
  /** Where facts and compiled byte code are kept between builds. */
  cacheDirectory: string;
  signal: AbortSignal;
}

/**
 * Asks the supervisor what an interpreter needs; none of the installed code is run.
 * @throws AppError `interpreter-not-found` where it, or the supervisor's, does not answer.
 */
export async function describeForImage(interpreter: string, options: DescribeOptions): Promise<InterpreterDescription> {
  const argv = ['-I', '-S', '-B', SUPERVISOR_MAIN, '--describe', interpreter, options.cacheDirectory];
  const done = await execa(options.supervisorPython, argv, { stdin: 'ignore', reject: false, cwd: '/', cancelSignal: options.signal });
  options.signal.throwIfAborted();
  const answer = lastObject(String(done.stdout ?? ''));
  if (answer['done'] === true) return answer as unknown as InterpreterDescription;
  const words = typeof answer['message'] === 'string' ? answer['message'] : String(done.stderr ?? done.message).slice(-500);
  throw new AppError('interpreter-not-found', `The interpreter ${interpreter} does not answer: ${words}`, {
    hint: 'Name a Python with --python PATH; the supervisor itself needs Python 3.8 or newer (REENACT_PYTHON).',
  });
}

/** As `describeForImage`, without a cache. */
export async function describeOnce(interpreter: string, options: Omit<DescribeOptions, 'cacheDirectory'>): Promise<InterpreterDescription> {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'reenact-describe-'));
  try {
    return { ...(await describeForImage(interpreter, { ...options, cacheDirectory })), bytecode: null };
  } finally {
    await rm(cacheDirectory, { recursive: true, force: true });
  }
}

/** The last line that is a JSON object: the supervisor is ours, and its lines are too. */
function lastObject(output: string): Record<string, unknown> {
  const line = output.trim().split('\n').at(-1) ?? '';
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
