import { mkdir, mkdtemp, readFile, rm, writeFile, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { applyPatch } from './apply-patch.js';
import { diffTrees } from './diff-trees.js';

it('gives a patch that turns the first tree into the second', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'reenact-difftest-'));
  const [from, to] = [path.join(root, 'one'), path.join(root, 'two')];
  await mkdir(path.join(from, 'pkg'), { recursive: true });
  await writeFile(path.join(from, 'pkg', 'a.py'), 'x = 1\ny = 2\nz = 3\n');
  await writeFile(path.join(from, 'gone.py'), 'old = True\n');
  await cp(from, to, { recursive: true });
  await writeFile(path.join(to, 'pkg', 'a.py'), 'x = 1\ny = 5\nz = 3\n');
  await writeFile(path.join(to, 'new.py'), 'fresh = True\n');
  await rm(path.join(to, 'gone.py'));
  const patch = await diffTrees(from, to);
  expect(patch).toContain('--- a/pkg/a.py');
  await applyPatch(from, patch);
  expect(await readFile(path.join(from, 'pkg', 'a.py'), 'utf8')).toBe('x = 1\ny = 5\nz = 3\n');
  expect(await readFile(path.join(from, 'new.py'), 'utf8')).toBe('fresh = True\n');
  await expect(readFile(path.join(from, 'gone.py'))).rejects.toThrow();
  expect(await diffTrees(from, to)).toBe('');
});
