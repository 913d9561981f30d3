import { access, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { AppError } from '@reenact/domain';

const REQUIREMENTS = fileURLToPath(new URL('../requirements-uv.txt', import.meta.url));

/**
 * Path of `uv`: the one on the search path, else the pinned, hash-checked wheel under the state directory (18 MB to fetch,
 * 50 MB on disk).
 *
 * @param pip a Python that has pip.
 * @throws AppError `package-index-unreachable`.
 */
export async function ensureUv(options: { stateDirectory: string; pip: string; onProgress: (message: string) => void }): Promise<string> {
  const target = path.join(options.stateDirectory, 'tools', 'uv-0.13.9');
  const uv = path.join(target, 'bin', 'uv');
  if (await exists(uv)) return uv;
  const onPath = await execa('uv', ['--version'], { reject: false, stdin: 'ignore' });
  if (!onPath.failed) return 'uv';
  options.onProgress('bringing uv 0.13.9 (18 MB to fetch, 50 MB on disk)');
  const aside = `${target}.${process.pid}`;
  await mkdir(path.dirname(target), { recursive: true });
  const argv = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary=:all:',
    '--require-hashes',
    '--target',
    aside,
    '-r',
    REQUIREMENTS,
  ];
  const done = await execa(options.pip, argv, { reject: false, stdin: 'ignore' });
  if (done.failed) {
    await rm(aside, { recursive: true, force: true });
    throw new AppError(
      'package-index-unreachable',
      `uv could not be installed. ${String(done.stderr).trim().split('\n').at(-1)?.slice(0, 300)}`,
      {
        hint: 'Put uv on PATH, or give an interpreter with --python PATH.',
      },
    );
  }
  await rename(aside, target).catch(() => rm(aside, { recursive: true, force: true }));
  return uv;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
