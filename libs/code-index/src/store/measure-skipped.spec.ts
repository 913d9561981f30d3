import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { measureSkipped } from './measure-skipped.js';

it('measures skipped folders, the fullest first, and follows no link', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'measure-skipped-'));
  await mkdir(path.join(root, 'vendor', 'inner'), { recursive: true });
  await mkdir(path.join(root, '.git'));
  await writeFile(path.join(root, '.git', 'HEAD'), '12345');
  await writeFile(path.join(root, 'vendor', 'a.py'), '123');
  await writeFile(path.join(root, 'vendor', 'inner', 'b.py'), '1');
  await symlink('/usr', path.join(root, 'vendor', 'out'));
  await writeFile(path.join(root, 'big.py'), '');
  const folders = await measureSkipped(root, [
    { path: '.git', reason: 'hidden' },
    { path: 'big.py', reason: 'too-big' },
    { path: 'gone', reason: 'cache' },
    { path: 'vendor', reason: 'vendored' },
  ]);
  expect(folders).toEqual([
    { path: 'vendor', reason: 'vendored', files: 2, bytes: 4, isWhole: true },
    { path: '.git', reason: 'hidden', files: 1, bytes: 5, isWhole: true },
  ]);
  await rm(root, { recursive: true, force: true });
});
