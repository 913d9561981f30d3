import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '@reenact/store';
import { lockFileOf } from './index-database.js';
import { databaseFile, openTree } from './open-tree.js';
import type { OpenTreeOptions } from './open-tree.js';

const DAY = 24 * 60 * 60 * 1000;
let scratch = '';
let today = 0;

beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'collect-store-'));
  today = Date.now() + DAY;
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

async function index(tree: string, options: OpenTreeOptions = {}): Promise<number> {
  const opened = await openTree(path.join(scratch, tree), { directory: path.join(scratch, 'store'), now: () => today, ...options });
  opened.close();
  return opened.counts.parsed;
}

async function put(tree: string, text: string): Promise<void> {
  await mkdir(path.join(scratch, tree), { recursive: true });
  await writeFile(path.join(scratch, tree, 'a.py'), text);
}

function held(tree: string): { revisions: string[]; records: number } {
  const database = new DatabaseSync(databaseFile(path.join(scratch, 'store'), path.join(scratch, tree)));
  const revisions = database.prepare('SELECT name FROM revision ORDER BY name').all();
  const records = database.prepare('SELECT count(*) AS n FROM record').get();
  database.close();
  return { revisions: revisions.map((row) => String(row['name'])), records: Number(records?.['n']) };
}

describe('collection', () => {
  it('drops revisions beyond the count, and contents that nobody holds once they are old', async () => {
    for (const name of ['one', 'two', 'three']) {
      await put('t', `x = '${name}'\n`);
      await index('t', { revision: name, limits: { revisions: 2 } });
      today += 1000;
    }
    expect(held('t')).toEqual({ revisions: ['three', 'two'], records: 3 });
    today += 31 * DAY;
    await index('t', { revision: 'three' });
    expect(held('t')).toEqual({ revisions: ['three'], records: 1 });
  });

  it('keeps the content of a branch that was left lately', async () => {
    await put('t', 'x = 1\n');
    await index('t');
    await put('t', 'x = 2\n');
    today += DAY;
    await index('t');
    await put('t', 'x = 1\n');
    today += 20 * DAY;
    expect(await index('t')).toBe(0);
  });

  it('keeps a repository below its bytes, the latest used contents first, and gives the space back', async () => {
    const file = databaseFile(path.join(scratch, 'store'), path.join(scratch, 't'));
    for (let round = 0; round < 12; round++) {
      await put('t', Array.from({ length: 4000 }, (_, line) => `name_${round}_${line} = ${line}`).join('\n'));
      await index('t', { limits: { repositoryBytes: 1024 * 1024 } });
      today += DAY;
      expect((await stat(file)).size).toBeLessThan(1.6 * 1024 * 1024);
    }
    const { records } = held('t');
    expect(records).toBeGreaterThan(0);
    expect(records).toBeLessThan(12);
    expect(await index('t')).toBe(0);
  });

  it('removes whole repositories that were not used for long, but none that is written', async () => {
    for (const tree of ['old', 'busy', 'new']) await put(tree, 'x = 1\n');
    await index('old');
    await index('busy');
    today += 40 * DAY;
    const busy = databaseFile(path.join(scratch, 'store'), path.join(scratch, 'busy'));
    await withLock(lockFileOf(busy), {}, () => index('new'));
    const names = await readdir(path.join(scratch, 'store'));
    const fileOf = (tree: string): string => path.basename(databaseFile(path.join(scratch, 'store'), path.join(scratch, tree)));
    expect(names.sort()).toEqual([fileOf('busy'), fileOf('new')].flatMap((name) => [name, `${name}.lock`]).sort());
  });

  it('removes the least lately used repositories beyond the folder’s bytes', async () => {
    for (const tree of ['a', 'b', 'c']) {
      await put(tree, 'x = 1\n');
      await index(tree);
      today += DAY;
    }
    const fileOf = (tree: string): string => databaseFile(path.join(scratch, 'store'), path.join(scratch, tree));
    const { size } = await stat(fileOf('a'));
    await put('d', 'x = 1\n');
    await index('d', { limits: { folderBytes: 2.5 * size } });
    const left = (await readdir(path.join(scratch, 'store'))).filter((name) => name.endsWith('.sqlite'));
    expect(left.sort()).toEqual([path.basename(fileOf('c')), path.basename(fileOf('d'))].sort());
  });
});
