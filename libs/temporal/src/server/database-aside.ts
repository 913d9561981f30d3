import { rename, stat } from 'node:fs/promises';
import { databaseFiles } from './server-paths.js';

/** A database that was moved out of the way: pairs of old and new path. */
export interface DatabaseAside {
  /** New path of the database itself. */
  path: string;
  moved: { from: string; to: string }[];
}

/**
 * Moves the files of a database aside, together, under the first free name `<file>.aside-<n>`. Nothing is ever deleted.
 * @returns null when there is no database.
 */
export async function setDatabaseAside(databaseFile: string): Promise<DatabaseAside | null> {
  const present = await existing(databaseFiles(databaseFile));
  if (present.length === 0) return null;
  const path = await firstFreeName(databaseFile);
  const moved = present.map((from) => ({ from, to: path + from.slice(databaseFile.length) }));
  for (const { from, to } of moved) await rename(from, to);
  return { path, moved };
}

/** Undoes {@link setDatabaseAside}, over what may have been written since. */
export async function restoreDatabase(aside: DatabaseAside, databaseFile: string): Promise<void> {
  await setDatabaseAside(databaseFile);
  for (const { from, to } of aside.moved) await rename(to, from);
}

async function firstFreeName(databaseFile: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = `${databaseFile}.aside-${number}`;
    if ((await existing(databaseFiles(path))).length === 0) return path;
  }
}

async function existing(paths: string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => found[index]);
}
