import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyTree } from './copy-tree.js';
import { checkoutGit } from './git-subject.js';

const scratch = () => mkdtemp(path.join(tmpdir(), 'reenact-subject-'));
const signal = new AbortController().signal;
const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid'];

describe('copyTree', () => {
  it('takes untracked files, leaves out version control, caches and links that lead outside, and names them', async () => {
    const source = await scratch();
    await mkdir(path.join(source, '.git'));
    await mkdir(path.join(source, 'pkg', '__pycache__'), { recursive: true });
    await writeFile(path.join(source, '.git', 'config'), 'x');
    await writeFile(path.join(source, 'pkg', 'a.py'), 'a = 1\n');
    await writeFile(path.join(source, 'pkg', '__pycache__', 'a.pyc'), 'x');
    await writeFile(path.join(source, 'weights.bin'), 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n');
    await symlink('/etc/passwd', path.join(source, 'outside'));
    await symlink('pkg/a.py', path.join(source, 'inner.py'));
    const target = path.join(await scratch(), 'copy');
    const copied = await copyTree(source, target);
    expect(copied.fileCount).toBe(2);
    expect(copied.notes).toEqual([
      'outside: a link that leads outside, left out',
      'weights.bin: a Git LFS pointer, its content is not here',
    ]);
    expect(await readFile(path.join(target, 'inner.py'), 'utf8')).toBe('a = 1\n');
    await expect(readFile(path.join(target, '.git', 'config'))).rejects.toThrow();
  });
});

describe('checkoutGit', () => {
  async function repository(): Promise<{ directory: string; commits: string[] }> {
    const directory = await scratch();
    const git = (argv: string[], date?: string) =>
      execFileSync('git', ['-C', directory, ...author, ...argv], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }) },
      }).trim();
    git(['init', '--quiet', '-b', 'trunk']);
    const commits: string[] = [];
    for (const [index, date] of ['2024-01-10T00:00:00Z', '2024-03-10T00:00:00Z', '2024-05-10T00:00:00Z'].entries()) {
      await writeFile(path.join(directory, 'v.py'), `v = ${index}\n`);
      git(['add', '.']);
      git(['commit', '--quiet', '-m', `c${index}`], date);
      commits.push(git(['rev-parse', 'HEAD']));
    }
    return { directory, commits };
  }

  it('takes the revision named, else the last commit before the date of the report', async () => {
    const { directory, commits } = await repository();
    const named = await checkoutGit({ url: directory, revision: commits[0] }, path.join(await scratch(), 'r'), {
      reportDate: null,
      signal,
    });
    expect(named).toBe(commits[0]);
    const target = path.join(await scratch(), 'r');
    expect(await checkoutGit({ url: directory }, target, { reportDate: '2024-04-01', signal })).toBe(commits[1]);
    expect(await readFile(path.join(target, 'v.py'), 'utf8')).toBe('v = 1\n');
    expect(await checkoutGit({ url: directory }, path.join(await scratch(), 'r'), { reportDate: null, signal })).toBe(commits[2]);
  });

  it('refuses a revision that is not there and an address that is an option', async () => {
    const { directory } = await repository();
    await expect(
      checkoutGit({ url: directory, revision: 'nope' }, path.join(await scratch(), 'r'), { reportDate: null, signal }),
    ).rejects.toMatchObject({ code: 'subject-revision-not-found' });
    await expect(
      checkoutGit({ url: '--upload-pack=x' }, path.join(await scratch(), 'r'), { reportDate: null, signal }),
    ).rejects.toMatchObject({ code: 'subject-not-found' });
  });
});
