import { execa } from 'execa';
import { AppError } from '@reenact/domain';
import { findInterpreter } from './interpreter.js';

/** Names that pip takes as a project and not as an option, a path or an address. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const PYTHON = /^3\.(\d{1,2})$/;

/**
 * Final releases of a distribution that the package index has for an interpreter, oldest first.
 *
 * @param interpreter a Python with pip.
 * @throws AppError `package-index-unreachable` when the index has none or does not answer.
 */
export async function listVersions(name: string, interpreter: string, signal: AbortSignal): Promise<string[]> {
  if (!NAME.test(name)) throw new AppError('usage', `${JSON.stringify(name)} is no name of a distribution.`);
  const argv = ['-m', 'pip', 'index', 'versions', name, '--disable-pip-version-check'];
  const done = await execa(interpreter, argv, { reject: false, stdin: 'ignore', cancelSignal: signal });
  const listed = /^Available versions: (.+)$/m.exec(String(done.stdout))?.[1];
  if (listed === undefined)
    throw new AppError('package-index-unreachable', `The package index gave no versions of ${name} for ${interpreter}.`, {
      hint: 'Check the name, and the connection to the package index.',
    });
  return listed.split(', ').toReversed();
}

/** The Python series between two, both included, of which an interpreter starts here. @throws AppError `usage`. */
export async function listPythons(from: string, to: string, searchPath: string): Promise<string[]> {
  const [first, last] = [from, to].map((version) => {
    const minor = PYTHON.exec(version)?.[1];
    if (minor === undefined) throw new AppError('usage', `${JSON.stringify(version)} is no Python series.`, { hint: 'For example 3.9.' });
    return Number(minor);
  }) as [number, number];
  const found: string[] = [];
  for (let minor = Math.min(first, last); minor <= Math.max(first, last); minor += 1)
    if ((await findInterpreter(`3.${minor}`, searchPath)) !== null) found.push(`3.${minor}`);
  return found;
}
