import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scanTree } from './scan-tree.js';

let root = '';

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), content);
}

beforeEach(async () => {
  // The tree's own path holds a dot and a cache's name: only relative paths may count.
  root = path.join(await mkdtemp(path.join(tmpdir(), 'scan-tree-')), '.hidden', 'venv');
  await mkdir(root, { recursive: true });
});
afterEach(async () => {
  await rm(path.dirname(path.dirname(root)), { recursive: true, force: true });
});

describe('scanTree', () => {
  it('lists files in the order of paths and names what it skips', async () => {
    await put('b.py', 'x = 1\r\ny = 2\r\n');
    await put('a/z.yaml', 'k: 1\n');
    await put('.git/config.py', '');
    await put('pkg/__pycache__/c.py', '');
    await put('env/pyvenv.cfg', '');
    await put('env/lib/six.py', '');
    await put('vendor/v.py', '');
    await put('build/lib/b.py', '');
    await put('dist/__init__.py', '');
    await put('big.py', 'x'.repeat(1024 * 1024 + 1));
    await put('data.bin', 'no source');
    await symlink('/etc', path.join(root, 'out'));
    await symlink('b.py', path.join(root, 'c.py'));
    const { candidates, skipped } = await scanTree(root);
    expect(candidates.map(({ file, kind }) => `${file} ${kind}`)).toEqual([
      'a/z.yaml configuration',
      'b.py python',
      'dist/__init__.py python',
      'env/pyvenv.cfg configuration',
    ]);
    expect(skipped.map(({ path: name, reason }) => `${name} ${reason}`)).toEqual([
      '.git hidden',
      'big.py too-big',
      'build generated',
      'c.py link',
      'env/lib cache',
      'out link',
      'pkg/__pycache__ cache',
      'vendor vendored',
    ]);
  });

  it('leaves out environments, caches that say so, and folders of records', async () => {
    await put('conda/conda-meta/history', '');
    await put('conda/lib/x.py', '');
    await put('fetched/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55');
    await put('fetched/inner/x.py', '');
    for (let index = 0; index <= 200; index++) await put(`notes/${index}.json`, '{}');
    await put('notes/load.py', '');
    const { candidates, skipped } = await scanTree(root);
    expect(candidates.map(({ file }) => file)).toEqual(['notes/load.py']);
    const reasons = Map.groupBy(skipped, ({ reason }) => reason);
    expect(reasons.get('cache')?.map((item) => item.path)).toEqual(['conda/conda-meta', 'conda/lib', 'fetched/inner']);
    expect(reasons.get('data')).toHaveLength(201);
  });

  it('never waits on a pipe and names what is no file', async () => {
    execFileSync('mkfifo', [path.join(root, 'pipe.py')]);
    expect(await scanTree(root)).toEqual({ candidates: [], skipped: [{ path: 'pipe.py', reason: 'unreadable' }] });
  });
});
