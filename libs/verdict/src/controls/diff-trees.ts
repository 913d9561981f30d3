import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '@reenact/domain';

const MOST_BYTES = 64 * 1024 ** 2;

/**
 * Unified diff from one directory to another, with paths `a/…` and `b/…`, as `git diff --no-index` writes it. Binary files are
 * named and carry no content.
 *
 * @returns an empty text where the trees are equal.
 * @throws AppError `internal` when git does not run.
 */
export async function diffTrees(from: string, to: string): Promise<string> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'reenact-diff-'));
  try {
    // Links named a and b give the paths their usual prefixes, whatever the directories are called.
    await symlink(from, path.join(scratch, 'a'));
    await symlink(to, path.join(scratch, 'b'));
    return await gitDiff(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function gitDiff(directory: string): Promise<string> {
  const argv = [
    '-c',
    'core.quotePath=false',
    '-c',
    'core.autocrlf=false',
    'diff',
    '--no-index',
    '--no-color',
    '--no-ext-diff',
    '--no-prefix',
    '--no-renames',
    'a/',
    'b/',
  ];
  return new Promise((resolve, reject) => {
    execFile('git', argv, { cwd: directory, maxBuffer: MOST_BYTES }, (error, stdout) => {
      // git answers 1 where there is a difference.
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new AppError('internal', 'git could not compare two trees.', { cause: error }));
    });
  });
}
