import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveDatabase, removeDatabase, restoreDatabase, setDatabaseAside } from './database-aside.js';

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'aside-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

describe('a database aside', () => {
  it('moves the three files of a database together, and back', async () => {
    const database = join(scratch, 't.db');
    expect(setDatabaseAside(database)).toBeNull();
    for (const suffix of ['', '-wal', '-shm']) await writeFile(database + suffix, `old${suffix}`);
    const aside = setDatabaseAside(database);
    if (aside === null) throw new Error('nothing was set aside');
    expect(aside.path).toBe(`${database}.aside-1`);
    expect(await readFile(`${aside.path}-wal`, 'utf8')).toBe('old-wal');
    await writeFile(database, 'new');
    restoreDatabase(aside, database);
    expect(await readFile(database, 'utf8')).toBe('old');
    expect(await readFile(`${database}-shm`, 'utf8')).toBe('old-shm');
    expect(await readFile(`${database}.aside-2`, 'utf8')).toBe('new');
  });

  it('takes the first name of which no part is taken', async () => {
    const database = join(scratch, 't.db');
    for (const name of ['t.db', 't.db.aside-1-wal']) await writeFile(join(scratch, name), name);
    expect(setDatabaseAside(database)?.path).toBe(`${database}.aside-2`);
  });

  it('moves the database itself last, and removes all of it', async () => {
    const [from, to] = [join(scratch, 'a'), join(scratch, 'b')];
    for (const part of ['', '-wal']) await writeFile(from + part, part);
    const seen: string[] = [];
    expect(moveDatabase(from, to, (part) => seen.push(part)).map((moved) => moved.to)).toEqual([`${to}-wal`, to]);
    expect(seen).toEqual(['-shm', '-wal', '']);
    await writeFile(join(scratch, 'b.lock'), '');
    removeDatabase(to);
    expect(await readdir(scratch)).toEqual(['b.lock']);
  });
});
