import { existsSync, renameSync, rmSync } from 'node:fs';

/** A database that was moved out of the way: pairs of old and new path. */
export interface DatabaseAside {
  /** New path of the database itself. */
  path: string;
  moved: { from: string; to: string }[];
}

/** A SQLite database in WAL mode is three files, moved and removed together; its journal comes before itself. */
const PARTS = ['-shm', '-wal', ''];

/**
 * Moves the files of a database that are there, the database itself last: a kill on the way never leaves a journal beside which a new
 * database would be begun. `onMove` is called before each part, moved or not, for tests of crashes.
 * @returns what was moved.
 */
export function moveDatabase(from: string, to: string, onMove: (part: string) => void = () => undefined): DatabaseAside['moved'] {
  return PARTS.flatMap((part) => {
    onMove(part);
    if (!existsSync(from + part)) return [];
    renameSync(from + part, to + part);
    return [{ from: from + part, to: to + part }];
  });
}

/** Removes the files of a database that are there. */
export function removeDatabase(file: string): void {
  for (const part of PARTS) rmSync(file + part, { force: true });
}

/**
 * Moves a database aside, whole, under the first free name `<file>.aside-<n>`. Nothing is ever deleted.
 * @returns null when there is no database.
 */
export function setDatabaseAside(file: string): DatabaseAside | null {
  const isThere = (database: string): boolean => PARTS.some((part) => existsSync(database + part));
  if (!isThere(file)) return null;
  let number = 1;
  while (isThere(`${file}.aside-${number}`)) number += 1;
  const path = `${file}.aside-${number}`;
  return { path, moved: moveDatabase(file, path) };
}

/** Undoes {@link setDatabaseAside}, over what may have been written since. */
export function restoreDatabase(aside: DatabaseAside, file: string): void {
  setDatabaseAside(file);
  for (const { from, to } of aside.moved) renameSync(to, from);
}
