import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderArtifactStore } from './folder-artifact-store.js';
import { SqliteRunStore } from './sqlite-run-store.js';
import { spawnModuleProcess } from './testing/module-process.js';

const KILLS = 36;
const SOURCES = dirname(fileURLToPath(import.meta.url));
let scratch = '';

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'store-kill-'));
  await mkdir(join(scratch, 'tree'));
  for (let index = 0; index < 20; index += 1) await writeFile(join(scratch, 'tree', `file-${index}`), `content ${index}`.repeat(500));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Stores blobs, trees, events and files of a run without end, and prints a line for whatever was returned. */
const WRITER = `
import { writeFile } from 'node:fs/promises';
import { writeSync } from 'node:fs';
import { FolderArtifactStore } from './folder-artifact-store.js';
import { SqliteRunStore } from './sqlite-run-store.js';
import { openRunFolder } from './run-folder.js';
const [scratch, seed] = ARGUMENTS;
const store = new FolderArtifactStore(scratch + '/store');
const runs = new SqliteRunStore(scratch + '/runs.sqlite');
const folder = await openRunFolder(scratch, 'run-' + seed);
const say = (kind, text) => writeSync(1, kind + ' ' + text + '\\n');
for (let index = 0; ; index += 1) {
  say('ref', await store.putBytes(Buffer.alloc(200_000, seed + ' ' + index)));
  await runs.appendEvent('run', seed + '-' + index, { at: new Date().toISOString(), phase: 'kill', message: String(index) });
  say('event', seed + '-' + index);
  await writeFile(scratch + '/tree/changing', seed + ' ' + index);
  say('tree', await store.putTree(scratch + '/tree'));
  await folder.write('file-' + (index % 3) + '.json', JSON.stringify({ index, filling: 'x'.repeat(100_000) }));
}`;

interface Said {
  refs: string[];
  trees: string[];
  events: number;
}

async function writeUntilKilled(seed: number, said: Said): Promise<void> {
  const child = spawnModuleProcess(WRITER.replace('ARGUMENTS', JSON.stringify([scratch, String(seed)])), SOURCES);
  const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> });
  let left = 1 + Math.floor(Math.random() * 6);
  lines.on('line', (line) => {
    const [kind, text = ''] = line.split(' ');
    left -= 1;
    if (left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 60);
    if (kind === 'ref') said.refs.push(text);
    if (kind === 'tree') said.trees.push(text);
    if (kind === 'event') said.events += 1;
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

describe('stores under SIGKILL', () => {
  it(`keeps everything that was returned, over ${KILLS} kills at random points`, async () => {
    const said: Said = { refs: [], trees: [], events: 0 };
    const seeds = Array.from({ length: KILLS / 2 }, (_, index) => index * 2);
    for (const seed of seeds) await Promise.all([writeUntilKilled(seed, said), writeUntilKilled(seed + 1, said)]);
    expect(said.refs.length).toBeGreaterThanOrEqual(KILLS);

    const store = new FolderArtifactStore(join(scratch, 'store'));
    for (const ref of said.refs) expect((await store.getBytes(ref)).byteLength).toBe(200_000);
    for (const treeHash of said.trees) expect(await store.hasTree(treeHash)).toBe(true);
    await everyVisibleObjectIsWhole(store);

    const runs = new SqliteRunStore(join(scratch, 'runs.sqlite'));
    const events = await runs.listEvents('run', 0);
    expect(events.length).toBeGreaterThanOrEqual(said.events);
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
    runs.close();
    await everyRunFileIsWhole();
  });
});

async function everyVisibleObjectIsWhole(store: FolderArtifactStore): Promise<void> {
  const objects = join(scratch, 'store', 'objects');
  for (const shard of await readdir(objects)) {
    for (const hash of await readdir(join(objects, shard))) await store.getBytes(`sha256:${hash}`);
  }
}

async function everyRunFileIsWhole(): Promise<void> {
  for (const run of await readdir(join(scratch, 'runs'))) {
    const names = (await readdir(join(scratch, 'runs', run))).filter((name) => name.startsWith('file-'));
    for (const name of names) {
      const { filling } = JSON.parse(await readFile(join(scratch, 'runs', run, name), 'utf8')) as { filling: string };
      expect(filling).toHaveLength(100_000);
    }
  }
}
