import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectTree } from './collect-tree.js';
import { LAYER_EPOCH_SECONDS, orderEntries } from './layer-entry.js';
import type { LayerEntry, LayerTree } from './layer-entry.js';
import { nameImage, openLayout, putJson, putLayer, readLayoutIndex } from './oci-layout.js';

const QUIET = { signal: new AbortController().signal, onBytes: () => undefined };
let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'oci-layout-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

async function layerOf(folder: string, layoutName = 'layout') {
  const layout = await openLayout(path.join(scratch, layoutName));
  const tree: LayerTree = new Map();
  await collectTree(tree, folder, { inner: 'opt/x' });
  return putLayer(layout, orderEntries(tree), QUIET);
}

async function makeTree(name: string, order: readonly string[], when: number): Promise<string> {
  const folder = path.join(scratch, name);
  await mkdir(path.join(folder, 'a', 'inner'), { recursive: true });
  for (const file of order) {
    await writeFile(path.join(folder, file), `text of ${file}`);
    await utimes(path.join(folder, file), when, when);
  }
  await chmod(path.join(folder, 'run'), 0o700);
  await symlink('../b.txt', path.join(folder, 'a', 'link'));
  return folder;
}

const FILES = ['a/inner/z', 'a.txt', 'b.txt', 'run', 'a/é'];

function archiveOf(digest: string): string {
  return path.join(scratch, 'layout', 'blobs', 'sha256', digest.slice('sha256:'.length));
}

describe('a layer', () => {
  it('is equal for equal files, whatever their order, times and owners', async () => {
    const one = await layerOf(await makeTree('one', FILES, 1_000_000_000));
    const other = await layerOf(await makeTree('other', [...FILES].reverse(), 1_700_000_000), 'second');
    expect(other.digest).toBe(one.digest);
    expect(other.diffId).toBe(one.diffId);
    expect(one.digest).not.toBe(one.diffId);
  });

  it('is another one when a byte, a permission to run or a link changes', async () => {
    const folder = await makeTree('one', FILES, 1_000_000_000);
    const first = await layerOf(folder);
    await writeFile(path.join(folder, 'b.txt'), 'text of b.txT');
    const second = await layerOf(folder);
    await chmod(path.join(folder, 'a.txt'), 0o755);
    const third = await layerOf(folder);
    await rm(path.join(folder, 'a', 'link'));
    await symlink('../a.txt', path.join(folder, 'a', 'link'));
    expect(new Set([first, second, third, await layerOf(folder)].map(({ diffId }) => diffId)).size).toBe(4);
  });

  it('is read by tar with root as owner, one time and no rights of others', async () => {
    const folder = await makeTree('one', FILES, 1_000_000_000);
    await chmod(path.join(folder, 'run'), 0o4711);
    await link(path.join(folder, 'a.txt'), path.join(folder, 'second-name'));
    const { digest } = await layerOf(folder);
    const listed = execFileSync(
      'tar',
      ['--list', '--verbose', '--numeric-owner', '--utc', '--quoting-style=literal', '-f', archiveOf(digest)],
      {
        encoding: 'utf8',
      },
    );
    const rows = listed
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/\s+/));
    expect(rows.map((row) => row.slice(5).join(' '))).toEqual([
      'opt/',
      'opt/x/',
      'opt/x/a/',
      'opt/x/a.txt',
      'opt/x/a/inner/',
      'opt/x/a/inner/z',
      'opt/x/a/link -> ../b.txt',
      'opt/x/a/é',
      'opt/x/b.txt',
      'opt/x/run',
      'opt/x/second-name',
    ]);
    expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(['0/0']));
    expect(new Set(rows.map((row) => row[3]))).toEqual(new Set([new Date(LAYER_EPOCH_SECONDS * 1000).toISOString().slice(0, 10)]));
    expect(new Set(rows.map((row) => row[0]))).toEqual(new Set(['drwxr-xr-x', '-rw-r--r--', 'lrwxrwxrwx', '-rwxr-xr-x']));
  });

  it('holds any path and link that a file system can, as tar reads them back', async () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '.', ' ', 'é', '字', '\n', '%', '='), minLength: 1, maxLength: 80 });
    const name = part.filter((text) => text !== '.' && text !== '..');
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), part, async (paths, target) => {
        const tree: LayerTree = new Map();
        for (const parts of paths) {
          const place = `root/${parts.join('/')}/f`;
          tree.set(place, { kind: 'file', path: place, isExecutable: false, body: { content: Buffer.from(place) } });
          tree.set(`${place}-link`, { kind: 'symlink', path: `${place}-link`, target });
        }
        const layout = await openLayout(path.join(scratch, 'layout'));
        const { digest } = await putLayer(layout, orderEntries(tree), QUIET);
        const out = path.join(scratch, 'out');
        await rm(out, { recursive: true, force: true });
        await mkdir(out);
        execFileSync('tar', ['--extract', '--gzip', '-f', archiveOf(digest), '-C', out]);
        const back: LayerTree = new Map();
        await collectTree(back, path.join(out), { inner: '' });
        const words = (entry: LayerEntry) => (entry.kind === 'symlink' ? [entry.path, entry.target] : [entry.path]);
        expect(orderEntries(back).map(words)).toEqual(orderEntries(tree).map(words));
        for (const entry of tree.values()) {
          if (entry.kind === 'file') expect(await readFile(path.join(out, entry.path), 'utf8')).toBe(entry.path);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is not read again while its files stay as they are', async () => {
    const folder = await makeTree('one', FILES, 1_000_000_000);
    const first = await layerOf(folder);
    expect(first.wasReused).toBe(false);
    const read: number[] = [];
    const tree: LayerTree = new Map();
    await collectTree(tree, folder, { inner: 'opt/x' });
    const layout = await openLayout(path.join(scratch, 'layout'));
    const again = await putLayer(layout, orderEntries(tree), { ...QUIET, onBytes: (bytes) => read.push(bytes) });
    expect(again).toEqual({ ...first, wasReused: true });
    expect(read).toEqual([]);
    await rm(archiveOf(first.digest));
    expect(await layerOf(folder)).toEqual(first);
  });

  it('refuses a file that shrinks or grows meanwhile, and leaves nothing behind', async () => {
    const folder = await makeTree('one', FILES, 1_000_000_000);
    for (const bytes of [3, 30_000]) {
      const tree: LayerTree = new Map();
      await collectTree(tree, folder, { inner: 'opt/x' });
      await writeFile(path.join(folder, 'b.txt'), 'x'.repeat(bytes));
      const layout = await openLayout(path.join(scratch, 'layout'));
      await expect(putLayer(layout, orderEntries(tree), QUIET)).rejects.toMatchObject({ code: 'image-not-buildable' });
      expect(await readdir(path.join(scratch, 'layout', 'aside'))).toEqual([]);
      expect(await readdir(path.join(scratch, 'layout', 'blobs', 'sha256'))).toEqual([]);
    }
  });
});

describe('a layout', () => {
  it('is left as it was by a writer that is stopped', async () => {
    const layout = await openLayout(path.join(scratch, 'layout'));
    const tree: LayerTree = new Map();
    await collectTree(tree, await makeTree('one', FILES, 1_000_000_000), { inner: 'opt/x' });
    const stop = new AbortController();
    const writing = putLayer(layout, orderEntries(tree), { signal: stop.signal, onBytes: () => stop.abort() });
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(path.join(scratch, 'layout', 'aside'))).toEqual([]);
    expect(await readdir(path.join(scratch, 'layout', 'blobs', 'sha256'))).toEqual([]);
  });

  const blob = (directory: string) => openLayout(directory).then((layout) => putJson(layout, 'text/x', { a: 1 }));

  it('loses what a killed writer left aside, and nothing else', async () => {
    const directory = path.join(scratch, 'layout');
    const image = await blob(directory);
    await nameImage({ directory }, image, 'a/b:1');
    await writeFile(path.join(directory, 'aside', 'half'), 'x');
    await openLayout(directory);
    expect(await readdir(path.join(directory, 'aside'))).toEqual([]);
    expect((await readLayoutIndex(directory)).manifests).toHaveLength(1);
  });

  it('gives a name to the last image that took it', async () => {
    const directory = path.join(scratch, 'layout');
    const first = await blob(directory);
    const second = await putJson({ directory }, 'text/x', { a: 2 });
    await nameImage({ directory }, first, 'a/b:1');
    await nameImage({ directory }, first, 'a/a:1');
    await nameImage({ directory }, second, 'a/b:1');
    const { manifests } = await readLayoutIndex(directory);
    expect(manifests.map(({ digest, annotations }) => [annotations?.['io.containerd.image.name'], digest])).toEqual([
      ['a/a:1', first.digest],
      ['a/b:1', second.digest],
    ]);
  });

  it('is not made over something else', async () => {
    await mkdir(path.join(scratch, 'layout'));
    await writeFile(path.join(scratch, 'layout', 'index.json'), '{"mine": true}');
    await expect(openLayout(path.join(scratch, 'layout'))).rejects.toMatchObject({ code: 'image-not-buildable' });
    expect(await readdir(path.join(scratch, 'layout'))).toEqual(['index.json']);
    await writeFile(path.join(scratch, 'file'), '');
    await expect(openLayout(path.join(scratch, 'file'))).rejects.toMatchObject({ code: 'image-not-buildable' });
  });
});
