import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseFile, openTree } from './open-tree.js';

let scratch = '';
let tree = '';
let file = '';

beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'index-damage-'));
  tree = await mkdtemp(path.join(scratch, 'tree-'));
  for (let index = 0; index < 30; index++) await writeFile(path.join(tree, `m${index}.py`), `def f${index}(x):\n    return x\n`.repeat(40));
  file = databaseFile(path.join(scratch, 'store'), tree);
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

async function index(): Promise<{ parsed: number; notices: string[]; chunks: number }> {
  const notices: string[] = [];
  const opened = await openTree(tree, { directory: path.join(scratch, 'store'), onNotice: (message) => notices.push(message) });
  try {
    return { parsed: opened.counts.parsed, notices, chunks: [...opened.searchable()].length };
  } finally {
    opened.close();
  }
}

async function expectRebuilt(said: RegExp): Promise<void> {
  const healed = await index();
  expect(healed).toMatchObject({ parsed: 30, chunks: 1200, notices: [expect.stringMatching(said)] });
  expect(await index()).toEqual({ parsed: 0, chunks: 1200, notices: [] });
}

describe('a damaged index', () => {
  it.each<[string, () => Promise<void>, RegExp]>([
    ['holds something else', () => writeFile(file, 'no database'), /is damaged; it was set aside as .*\.damaged and is made again/],
    ['is cut off', async () => truncate(file, (await readFile(file)).length - 40_000), /is damaged/],
    ['is scribbled over', async () => writeFile(file, (await readFile(file)).fill(0xab, 4096)), /is damaged/],
    [
      'belongs to another program',
      async () => {
        await rm(file);
        const other = new DatabaseSync(file);
        other.exec('CREATE TABLE theirs (x); PRAGMA user_version = 1');
        other.close();
      },
      /is not one of ours/,
    ],
    [
      'has another layout',
      () => {
        const other = new DatabaseSync(file);
        other.exec('PRAGMA user_version = 999');
        other.close();
        return Promise.resolve();
      },
      /has layout 999 instead of 1/,
    ],
  ])('that %s is set aside and made again', async (_, damage, said) => {
    await index();
    await damage();
    await expectRebuilt(said);
  });

  it('whose record is torn is found when it is read, and made again at the next run', async () => {
    await index();
    const database = new DatabaseSync(file);
    database.exec(`UPDATE record SET forward = substr(forward, 1, 100) WHERE path = 'm7.py'`);
    database.close();
    await expect(index()).rejects.toMatchObject({ code: 'index-damaged', message: expect.stringMatching(/m7\.py/) as string });
    await expectRebuilt(/is damaged/);
  });

  it('whose loops are torn finds them again', async () => {
    await writeFile(path.join(tree, 'm0.py'), 'def train(loss):\n    for x in range(3):\n        loss.backward()\n');
    const loops = async (): Promise<string[]> => {
      const opened = await openTree(tree, { directory: path.join(scratch, 'store') });
      const index = await opened.codeIndex();
      opened.close();
      return index.loops.map(({ name }) => name);
    };
    expect(await loops()).toEqual(['train']);
    const database = new DatabaseSync(file);
    expect(database.prepare('UPDATE revision SET loops = substr(loops, 1, 40)').run().changes).toBe(1);
    database.close();
    expect(await loops()).toEqual(['train']);
  });

  it('leaves at most one copy aside', async () => {
    for (let times = 0; times < 3; times++) {
      await index();
      await writeFile(file, `no database ${times}`);
    }
    await index();
    const names = (await readdir(path.dirname(file))).map((name) => name.replace(/^[0-9a-f]{32}/, 'ID'));
    expect(names).toEqual(['ID.sqlite', 'ID.sqlite.damaged', 'ID.sqlite.lock']);
  });
});
