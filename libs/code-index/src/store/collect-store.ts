import { readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from '@reenact/store';
import { chunkerVersion } from './chunker-version.js';
import { lockFileOf, removeIndex } from './index-database.js';
import type { RepositoryStore } from './repository-store.js';

/** How much an index may keep. */
export interface KeepLimits {
  /** Revisions of one repository, the latest used ones. */
  revisions: number;
  /** Revisions and contents not used for so long go. */
  unusedDays: number;
  /** Bytes of one repository's database. */
  repositoryBytes: number;
  /** Bytes of all repositories in a folder. */
  folderBytes: number;
}

export const DEFAULT_LIMITS: KeepLimits = { revisions: 20, unusedDays: 30, repositoryBytes: 1024 ** 3, folderBytes: 4 * 1024 ** 3 };

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** What was used within this time may be open in another process and stays. */
const GRACE_MILLISECONDS = HOUR_MILLISECONDS;
const RECORDS_PER_STEP = 200;

/**
 * Takes out what was not used for long and, beyond the limits, what was used least lately: revisions, then contents that no revision
 * holds. The revision `current` always stays. The caller holds the writer lock; a kill between two steps leaves a sound index.
 */
export function collectStore(store: RepositoryStore, { current, now, limits }: { current: string; now: number; limits: KeepLimits }): void {
  const oldest = now - limits.unusedDays * 24 * HOUR_MILLISECONDS;
  const revisions = store.all('SELECT id, name, used_at FROM revision ORDER BY used_at DESC, id DESC');
  revisions.forEach((row, rank) => {
    const isUnused = rank >= limits.revisions || Number(row['used_at']) < oldest;
    if (isUnused && row['name'] !== current) dropRevision(store, row);
  });
  const unheld = `id NOT IN (SELECT record FROM file)`;
  const isOver = (): boolean => usedBytes(store) > limits.repositoryBytes;
  dropRecords(store, `${unheld} AND (used_at < ? OR (version <> ? AND used_at < ?))`, [oldest, chunkerVersion(), now - GRACE_MILLISECONDS]);
  while (isOver()) {
    const step = `SELECT id FROM record WHERE ${unheld} AND used_at < ? ORDER BY used_at, id LIMIT ${RECORDS_PER_STEP}`;
    if (dropRecords(store, `id IN (${step})`, [now - GRACE_MILLISECONDS]) > 0) continue;
    const next = store.get(
      'SELECT id, used_at FROM revision WHERE name <> ? AND used_at < ? ORDER BY used_at, id LIMIT 1',
      current,
      now - GRACE_MILLISECONDS,
    );
    if (next === undefined) break;
    dropRevision(store, next);
  }
  shrink(store);
}

function dropRevision(store: RepositoryStore, row: Record<string, unknown>): void {
  const [id, usedAt] = [Number(row['id']), Number(row['used_at'])];
  store.inTransaction('collect', () => {
    store.run('UPDATE record SET used_at = max(used_at, ?) WHERE id IN (SELECT record FROM file WHERE revision = ?)', usedAt, id);
    store.run('DELETE FROM revision WHERE id = ?', id);
  });
}

function dropRecords(store: RepositoryStore, where: string, values: (string | number)[]): number {
  let dropped = 0;
  store.inTransaction('collect', () => (dropped = store.run(`DELETE FROM record WHERE ${where}`, ...values)));
  return dropped;
}

function usedBytes(store: RepositoryStore): number {
  return (pragma(store, 'page_count') - pragma(store, 'freelist_count')) * pragma(store, 'page_size');
}

function shrink(store: RepositoryStore): void {
  if (pragma(store, 'freelist_count') > 0) store.database.exec('PRAGMA incremental_vacuum');
  store.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function pragma(store: RepositoryStore, name: 'page_count' | 'freelist_count' | 'page_size'): number {
  return Number(store.database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

const DATABASE = /^[0-9a-f]{32}\.sqlite$/;

/** Marks a repository's database as used, for {@link collectFolder}. */
export function markUsed(file: string, now: number): void {
  utimesSync(file, now / 1000, now / 1000);
}

/** Removes whole repositories that were not used for long or, beyond the limit, least lately; never `current`, nor one that is written. */
export function collectFolder(directory: string, { current, now, limits }: { current: string; now: number; limits: KeepLimits }): void {
  const databases = readdirSync(directory)
    .filter((name) => DATABASE.test(name))
    .map((name) => ({ file: path.join(directory, name), ...usageOf(path.join(directory, name)) }))
    .sort((left, right) => right.usedAt - left.usedAt);
  let bytes = 0;
  for (const database of databases) {
    bytes += database.bytes;
    const age = now - database.usedAt;
    const isOver = bytes > limits.folderBytes && age > GRACE_MILLISECONDS;
    if (database.file === current || !(isOver || age > limits.unusedDays * 24 * HOUR_MILLISECONDS)) continue;
    const lock = takeLock(lockFileOf(database.file));
    if (lock === null) continue;
    try {
      removeIndex(database.file);
    } finally {
      lock.remove();
    }
  }
}

function usageOf(file: string): { bytes: number; usedAt: number } {
  const found = statSync(file, { throwIfNoEntry: false });
  return { bytes: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 };
}
