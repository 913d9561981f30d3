import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@reenact/domain';
import { setDatabaseAside } from './database-aside.js';
import { takeLock } from './process-lock.js';
import { isDamaged } from './sqlite-damage.js';

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MILLISECONDS = 15_000;

/** Each step takes the schema from its index to the next version; steps are only ever added. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE runs (
     run_id TEXT PRIMARY KEY, workflow_id TEXT NOT NULL, title TEXT NOT NULL, phase TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT,
     created_at TEXT NOT NULL, updated_at TEXT NOT NULL, folder TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX runs_by_time ON runs (created_at);
   CREATE TABLE events (
     run_id TEXT NOT NULL, sequence INTEGER NOT NULL, key TEXT NOT NULL, at TEXT NOT NULL, phase TEXT NOT NULL, message TEXT NOT NULL, data TEXT,
     PRIMARY KEY (run_id, sequence), UNIQUE (run_id, key)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE trials (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
   CREATE TABLE verdicts (run_id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
   CREATE TABLE model_calls (key TEXT PRIMARY KEY, run_id TEXT NOT NULL, json TEXT NOT NULL) STRICT;
   CREATE INDEX model_calls_by_run ON model_calls (run_id);`,
];

/**
 * Opens the run database, several processes at once: WAL, a busy timeout, migrations under a lock. A database of a newer schema, or one
 * that is damaged, is set aside whole (three files) with a message, and a new one is begun.
 * @throws AppError `internal` when a migration fails (the database stays as it was) or another process opens it without end; the
 * system's error when the folder can't be written.
 */
export function openRunDatabase(path: string, report: (message: string) => void): DatabaseSync {
  // One process at a time looks at the version and acts on it.
  const lock = takeLock(`${path}.lock`, BUSY_TIMEOUT_MILLISECONDS);
  if (lock === null)
    throw new AppError('internal', `Another process has been opening ${path} for longer than ${BUSY_TIMEOUT_MILLISECONDS / 1000} s.`);
  try {
    const reason = unusable(path);
    if (reason !== null)
      report(`The run database ${path} ${reason}; it was set aside as ${setDatabaseAside(path)?.path} and a new one begun.`);
    return migrated(connect(path));
  } finally {
    lock.release();
  }
}

function connect(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MILLISECONDS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  return database;
}

function unusable(path: string): string | null {
  if (!existsSync(path)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = connect(path);
    const version = schemaVersion(database);
    return version > MIGRATIONS.length ? `has schema ${version}, newer than ${MIGRATIONS.length}` : null;
  } catch (error) {
    if (isDamaged(error)) return 'is damaged';
    throw error;
  } finally {
    database?.close();
  }
}

function migrated(database: DatabaseSync): DatabaseSync {
  for (let version = schemaVersion(database); version < MIGRATIONS.length; version += 1) {
    try {
      database.exec(`BEGIN IMMEDIATE; ${MIGRATIONS[version]} PRAGMA user_version = ${version + 1}; COMMIT;`);
    } catch (error) {
      database.close();
      throw new AppError('internal', `The run database can't be taken from schema ${version} to ${version + 1}.`, { cause: error });
    }
  }
  return database;
}

function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}
