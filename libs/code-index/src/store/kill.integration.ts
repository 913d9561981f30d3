import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnSourceProcess } from '@reenact/store/testing';
import { databaseFile, openTree } from './open-tree.js';
import type { OpenTreeOptions } from './open-tree.js';

/** More than one batch of records, so that kills fall between two commits as well. */
const FILES = 230;
/** Kills at each kind of write, and by the clock. */
const KILLS_PER_POINT = 7;
const KILLS_BY_CLOCK = 16;
/** A child takes half a second on a free machine and several on a busy one. */
const TIMEOUT_MILLISECONDS = 1_200_000;
const SOURCES = path.dirname(fileURLToPath(import.meta.url));

/** What a run does, in order; the last write of each kind is the one before which, or after which, a child is killed. */
const POINTS = [
  'create',
  'schema',
  'record',
  'commit-records',
  'records-committed',
  'revision',
  'revision-committed',
  'collect',
  'collect-committed',
  'aside-shm',
  'aside-wal',
  'aside',
  'aside-unmark',
];

let scratch = '';
let tree = '';
let store = '';
let edits = 0;

/** Indexes the tree, and kills itself at the so-manyth write of a kind. */
const CHILD = `
import { openTree } from './open-tree.ts';
const [tree, directory, point, times, threads] = ARGUMENTS;
let left = times;
const onWrite = (at) => { if (at === point && --left === 0) process.kill(process.pid, 'SIGKILL'); };
const opened = await openTree(tree, { directory, threads, onWrite, limits: { revisions: 1 }, revision: String(Date.now()) });
opened.close();
process.stdout.write('finished');`;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'index-kill-'));
  tree = path.join(scratch, 'tree');
  store = path.join(scratch, 'store');
  await mkdir(tree);
  for (let index = 0; index < FILES; index++) await put(index);
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function put(index: number): Promise<void> {
  await writeFile(path.join(tree, `m${index}.py`), `def f${index}(x):\n    return x + ${edits++}\n`);
}

async function indexUntilKilled(kill: { point: string; times: number; threads: number; afterMilliseconds?: number }): Promise<boolean> {
  const given = [tree, store, kill.point, kill.times, kill.threads];
  const child = spawnSourceProcess(CHILD.replace('ARGUMENTS', JSON.stringify(given)), SOURCES);
  if (kill.afterMilliseconds !== undefined) setTimeout(() => child.kill('SIGKILL'), kill.afterMilliseconds);
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') expect(status).toBe(0);
  return signal === 'SIGKILL';
}

async function contents(options: OpenTreeOptions): Promise<{ parsed: number; chunks: string }> {
  const opened = await openTree(tree, { threads: 0, ...options });
  const chunks = JSON.stringify([...opened.searchable()]);
  opened.close();
  return { parsed: opened.counts.parsed, chunks };
}

async function expectHealthy(): Promise<void> {
  const notices: string[] = [];
  const stored = await contents({ directory: store, onNotice: (message) => notices.push(message) });
  expect(stored.chunks).toBe((await contents({})).chunks);
  expect((await contents({ directory: store })).parsed).toBe(0);
  for (const notice of notices) expect(notice).toMatch(/set aside/);
}

describe('an index under SIGKILL', () => {
  it(
    `equals a clean build after ${KILLS_PER_POINT * POINTS.length + KILLS_BY_CLOCK} kills at every kind of write and at random times`,
    async () => {
      let kills = 0;
      for (const point of POINTS) {
        for (let round = 0; round < KILLS_PER_POINT; round++) {
          await prepare(point);
          const times = point === 'record' ? 1 + round * 33 : 1;
          const killed = await indexUntilKilled({ point, times, threads: round % 4 === 3 ? 2 : 0 });
          expect(killed, `${point}, round ${round}`).toBe(true);
          kills++;
        }
        await expectHealthy();
      }
      for (let round = 0; round < KILLS_BY_CLOCK; round++) {
        for (let index = 0; index < FILES; index += 3) await put(index);
        const afterMilliseconds = 100 + Math.random() * 2_000;
        if (await indexUntilKilled({ point: '', times: 0, threads: round % 2 === 0 ? 0 : 2, afterMilliseconds })) kills++;
      }
      await expectHealthy();
      expect(kills).toBeGreaterThanOrEqual(POINTS.length * KILLS_PER_POINT);
      await expectNothingLeft();
    },
    TIMEOUT_MILLISECONDS,
  );

  it('goes on where a killed run stopped', async () => {
    await rm(store, { recursive: true, force: true });
    expect(await indexUntilKilled({ point: 'record', times: 215, threads: 0 })).toBe(true);
    expect((await contents({ directory: store })).parsed).toBe(FILES - 200);
  });
});

/** Makes the next run come to a write of that kind. */
async function prepare(point: string): Promise<void> {
  const file = databaseFile(store, tree);
  if (['create', 'schema', 'record'].includes(point)) return rm(store, { recursive: true, force: true });
  if (point.startsWith('aside')) await writeFile(file, `no database ${edits}`);
  for (let index = 0; index < FILES; index += 10) await put(index);
}

async function expectNothingLeft(): Promise<void> {
  const names = (await readdir(store)).map((name) => name.replace(/^[0-9a-f]{32}/, 'ID'));
  const known = ['ID.sqlite', 'ID.sqlite.lock', ...['', '-wal', '-shm'].map((part) => `ID.sqlite.damaged${part}`)];
  for (const name of names) expect(known).toContain(name);
  expect((await stat(databaseFile(store, tree))).size).toBeLessThan(8 * 1024 * 1024);
}
