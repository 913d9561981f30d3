import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import { findInterpreter } from '@reenact/environment';

/** Which environment an image is built for. */
export interface ImageSubject {
  interpreter: string;
  /** Requirements with hashes that it was made from; '' = unknown. */
  lock: string;
}

export interface SubjectOptions {
  /** Path or version of a Python. */
  python?: string;
  /** Name of a folder of built environments, or the beginning of one. */
  environment?: string;
}

const FEWEST_LETTERS = 4;

/**
 * The interpreter that is meant.
 * @throws AppError `usage` where none or two are named; `interpreter-not-found` where there is none such.
 */
export async function findSubject(
  { python, environment }: SubjectOptions,
  places: { environments: string; searchPath: string },
): Promise<ImageSubject> {
  if ((python === undefined) === (environment === undefined)) {
    throw new AppError('usage', 'An image is built for one interpreter.', {
      hint: 'Name it with --python PATH, or with --environment ID.',
    });
  }
  const found =
    python === undefined
      ? await builtEnvironment(environment ?? '', places.environments)
      : await findInterpreter(python, places.searchPath);
  if (found === null) {
    throw new AppError('interpreter-not-found', `No Python ${JSON.stringify(python)} was found on PATH.`, {
      hint: 'Name a path: --python PATH.',
    });
  }
  return { interpreter: found, lock: await readFile(path.join(path.dirname(path.dirname(found)), 'reenact.lock'), 'utf8').catch(() => '') };
}

async function builtEnvironment(id: string, environments: string): Promise<string> {
  const names = await readdir(environments).catch(() => []);
  const fitting = id.length < FEWEST_LETTERS ? [] : names.filter((name) => /^[0-9a-f]+$/.test(name) && name.startsWith(id));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return path.join(environments, only, 'bin', 'python');
  throw new AppError(
    'interpreter-not-found',
    `${fitting.length === 0 ? 'No environment has' : 'Several environments have'} the id ${JSON.stringify(id)}.`,
    {
      hint: `There are: ${names.filter((name) => /^[0-9a-f]+$/.test(name)).join(', ') || 'none'} (in ${environments}).`,
    },
  );
}
