import { execa } from 'execa';
import { AppError } from '@reenact/domain';

/**
 * Places the files of a distribution in a directory, without its dependencies, so that it can be the subject.
 *
 * @param interpreter the Python whose wheel tags decide; it needs pip.
 * @throws AppError `subject-not-found` when the index has no such version for that interpreter.
 */
export async function installDistribution(
  distribution: { name: string; version?: string | undefined },
  directory: string,
  options: { interpreter: string; signal: AbortSignal },
): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(distribution.name))
    throw new AppError('subject-not-found', `Not a distribution's name: ${distribution.name}`);
  if (distribution.version !== undefined && !/^[A-Za-z0-9.!+_-]+$/.test(distribution.version)) {
    throw new AppError('subject-not-found', `Not a version: ${distribution.version}`);
  }
  const requirement = distribution.version === undefined ? distribution.name : `${distribution.name}==${distribution.version}`;
  const argv = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary=:all:',
    '--target',
    directory,
    requirement,
  ];
  const done = await execa(options.interpreter, argv, { reject: false, cancelSignal: options.signal, stdin: 'ignore' });
  if (done.failed) {
    throw new AppError('subject-not-found', `${requirement} cannot be installed for ${options.interpreter}. ${lastLine(done.stderr)}`, {
      hint: 'Check name and version, or name another interpreter with --python.',
    });
  }
}

function lastLine(text: unknown): string {
  return String(text).trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
