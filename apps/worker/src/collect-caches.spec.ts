import { mkdir, mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { collectCaches } from './collect-caches.js';

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
