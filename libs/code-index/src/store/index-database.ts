import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamaged, moveDatabase, removeDatabase } from '@reenact/store';

/** How long a statement waits for another process that holds the database for a moment. */
const BUSY_TIMEOUT_MILLISECONDS = 15_000;
/** `PRAGMA application_id` of our files: "RnIx". */
const APPLICATION_ID = 0x526e4978;
/** A database of another version is set aside: it holds nothing that can't be made again. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
CREATE TABLE record (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL, version TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT,
  chunk_count INTEGER NOT NULL, text BLOB NOT NULL, structure BLOB NOT NULL, forward BLOB NOT NULL, used_at INTEGER NOT NULL,
  UNIQUE (path, sha256, version)
) STRICT;
CREATE TABLE revision (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, root TEXT NOT NULL, digest TEXT NOT NULL, loops TEXT, used_at INTEGER NOT NULL
) STRICT;
CREATE TABLE file (
  revision INTEGER NOT NULL REFERENCES revision (id) ON DELETE CASCADE, path TEXT NOT NULL, bytes INTEGER NOT NULL,
  modified_at REAL NOT NULL, changed_at REAL NOT NULL, inode REAL NOT NULL, is_settled INTEGER NOT NULL, sha256 TEXT NOT NULL,
  record INTEGER NOT NULL REFERENCES record (id), PRIMARY KEY (revision, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_by_record ON file (record);`;

/** Suffix of the one database that was set aside last; an older one makes room for it. */
const ASIDE = '.damaged';
/** Suffix of the mark that a reader leaves who found the database damaged. */
const TORN = '.torn';

/** Who is told what happens to a database. */
export interface DatabaseEvents {
  /** What a user should know. */
  onNotice: (message: string) => void;
  /** Called at every write, for tests of crashes. */
  onWrite: (point: string) => void;
}

/**
 * Opens the index of one repository, several readers and a writer at once (WAL). Whoever writes holds the lock
 * {@link lockFileOf}. A database that is damaged, foreign or of another version is set aside, which `onNotice` is told, and begun anew.
 * @throws the system's error where the folder can't be written.
 */
export function openIndexDatabase(file: string, { onNotice, onWrite }: DatabaseEvents): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  const found = openExisting(file);
  if (found instanceof DatabaseSync) return found;
  if (found !== null) onNotice(`The index ${file} ${found}; it was set aside as ${setAside(file, onWrite)} and is made again.`);
  onWrite('create');
  const database = connect(file);
  onWrite('schema');
  return begin(database);
}

/** A database that lives as long as its handle. */
export function openMemoryDatabase(): DatabaseSync {
  return begin(connect(':memory:'));
}

/** The lock of whoever writes an index. */
export function lockFileOf(file: string): string {
  return `${file}.lock`;
}

/** Says that a database was found damaged, to whoever opens it next: the damage need not show at once. */
export function markDamaged(file: string): void {
  writeFileSync(file + TORN, '');
}

/** Moves a database (with its journal) out of the way; answers where it lies now. */
export function setAside(file: string, onWrite: (point: string) => void): string {
  // A kill on the way must not leave a database that looks whole but lacks its journal.
  onWrite('mark');
  markDamaged(file);
  removeDatabase(file + ASIDE);
  moveDatabase(file, file + ASIDE, (part) => onWrite(`aside${part}`));
  onWrite('aside-unmark');
  rmSync(file + TORN, { force: true });
  return file + ASIDE;
}

/** Removes an index with everything that belongs to it. */
export function removeIndex(file: string): void {
  for (const base of [file, file + ASIDE]) removeDatabase(base);
  rmSync(file + TORN, { force: true });
}

/** The open database, why it can't be used, or null where there is none. */
function openExisting(file: string): DatabaseSync | string | null {
  if (existsSync(file + TORN)) return 'is damaged';
  if (!existsSync(file)) return null;
  let database: DatabaseSync | null = null;
  let reason: string;
  try {
    database = connect(file);
    const version = numberOf(database, 'user_version');
    // Killed between the file's making and its schema's commit: nothing is in it yet.
    if (version === 0 && numberOf(database, 'application_id') === 0 && numberOf(database, 'schema_version') === 0) return begin(database);
    if (numberOf(database, 'application_id') !== APPLICATION_ID) reason = 'is not one of ours';
    else if (version !== SCHEMA_VERSION) reason = `has layout ${version} instead of ${SCHEMA_VERSION}`;
    else return database;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    reason = 'is damaged';
  }
  database?.close();
  return reason;
}

function begin(database: DatabaseSync): DatabaseSync {
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
  return database;
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MILLISECONDS });
  // Lets collected pages go back to the file system; has to be said before anything is written.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  // NORMAL: a power failure may lose the last commits, never the file's soundness; what is lost is parsed again.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536;');
  return database;
}

function numberOf(database: DatabaseSync, pragma: 'user_version' | 'application_id' | 'schema_version'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);
}
