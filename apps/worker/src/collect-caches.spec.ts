import { mkdir, mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FolderArtifactStore } from '@reenact/store';
import { collectArtifacts, collectCaches } from './collect-caches.js';

it('removes the longest unused entries until the bound holds, and nothing below it', async () => {
  const state = await mkdtemp(path.join(tmpdir(), 'reenact-caches-'));
  for (const [name, age] of [
    ['old', 300],
    ['middle', 200],
    ['new', 100],
  ] as const) {
    const directory = path.join(state, 'trees', name);
    await mkdir(path.join(directory, 'inner'), { recursive: true });
    await writeFile(path.join(directory, 'inner', 'file'), Buffer.alloc(1000));
    const used = Date.now() / 1000 - age;
    await utimes(directory, used, used);
  }
  expect(await collectCaches(state, { trees: 3000, environments: 10 })).toEqual([]);
  expect(await collectCaches(state, { trees: 2500 })).toEqual([path.join(state, 'trees', 'old')]);
  expect((await readdir(path.join(state, 'trees'))).sort()).toEqual(['middle', 'new']);
});

it('removes artefacts that no run leads to, and keeps what is reached through others', async () => {
  const artifacts = new FolderArtifactStore(path.join(await mkdtemp(path.join(tmpdir(), 'reenact-artifacts-')), 'store'));
  const inner = await artifacts.putBytes(Buffer.from('the output of a trial'));
  const outer = await artifacts.putBytes(Buffer.from(JSON.stringify({ output: inner })));
  const project = await mkdtemp(path.join(tmpdir(), 'reenact-project-'));
  await writeFile(path.join(project, 'train.py'), 'print(1)');
  const tree = await artifacts.putTree(project);
  const orphan = await artifacts.putBytes(Buffer.from('of a run that never came to be'));
  const runs = { listHashes: () => [outer.slice('sha256:'.length), tree] };
  expect((await collectArtifacts(artifacts, runs, { minimumAgeSeconds: -10 })).removedCount).toBe(0);
  expect((await collectArtifacts(artifacts, runs, { minimumAgeSeconds: -10, maxBytes: 0 })).removedCount).toBe(1);
  expect(await Promise.all([inner, outer, orphan].map((ref) => artifacts.has(ref)))).toEqual([true, true, false]);
  expect(await artifacts.hasTree(tree)).toBe(true);
});
