import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { isDamaged, removeDatabase } from '@reenact/store';

/** Vectors by model and text, shared by repositories, branches, re-runs and processes. */
export interface EmbeddingCache {
  /** The known ones of the given texts' hashes, marked as used. */
  get(model: CachedModel, hashes: readonly string[]): Map<string, Float32Array>;
  /** Adds vectors, all or none; what is known stays as it was. Beyond the size bound, what was not used for longest goes. */
  put(model: CachedModel, vectors: ReadonlyMap<string, Float32Array>): void;
  /** Number of vectors and size of the file's content in bytes. */
  size(): { vectors: number; bytes: number };
  close(): void;
}

/** Which model's vectors: digest and length as in `Embedder`. */
export interface CachedModel {
  digest: string;
  dimensions: number;
}

/** How a cache is kept. */
export interface EmbeddingCacheSettings {
  /** Bound of the file's content; its write-ahead log comes on top for a while. */
  largestBytes: number;
  /** Seconds since the epoch, for tests. */
  now?: () => number;
  /** Gets one sentence where a damaged cache was thrown away. */
  report?: (message: string) => void;
}

const SCHEMA_VERSION = 1;
const BUSY_TIMEOUT_MILLISECONDS = 15_000;
/** A use is written down once a day: reading must not write. */
const USE_SECONDS = 86_400;
/** Share of the bound that a collection leaves, so that not every write collects. */
const KEPT_SHARE = 0.9;
/** Hashes in one statement; SQLite takes 32,766 parameters. */
const HASHES_AT_ONCE = 500;

const SCHEMA = `CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, hash BLOB NOT NULL, used INTEGER NOT NULL, row BLOB NOT NULL, UNIQUE (model, hash)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS vectors_by_use ON vectors (used);
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/**
 * Opens the cache, several processes at once; the file is made where it is not there. It can be had again from the model, so a
 * damaged one is thrown away.
 * @param file absolute path.
 * @throws the system's error where the folder cannot be written.
 */
export function openEmbeddingCache(file: string, settings: EmbeddingCacheSettings): EmbeddingCache {
  mkdirSync(path.dirname(file), { recursive: true });
  const now = settings.now ?? ((): number => Math.floor(Date.now() / 1000));
  const database = openSound(file, settings.report ?? (() => undefined));
  return {
    get: (model, hashes) => readVectors(database, model, hashes, now()),
    put: (model, vectors) => {
      writeVectors(database, model, vectors, now());
      if (contentBytes(database) > settings.largestBytes) collect(database, settings.largestBytes * KEPT_SHARE);
    },
    size: () => ({ vectors: Number(valueOf(database, 'SELECT count(*) FROM vectors')), bytes: contentBytes(database) }),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function openSound(file: string, report: (message: string) => void): DatabaseSync {
  try {
    return connect(file);
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  report(`The embedding cache ${file} was damaged and begun anew; its vectors are computed again when they are needed.`);
  removeDatabase(file);
  return connect(file);
}

/** Synced at checkpoints only: a killed process loses nothing, a power failure at most the last vectors. */
function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MILLISECONDS });
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    const version = Number(valueOf(database, 'PRAGMA user_version'));
    if (version !== SCHEMA_VERSION)
      inTransaction(database, () => database.exec(`${version === 0 ? '' : 'DROP TABLE IF EXISTS vectors;'}${SCHEMA}`));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function readVectors(database: DatabaseSync, model: CachedModel, hashes: readonly string[], now: number): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  const stale: Buffer[] = [];
  for (let from = 0; from < hashes.length; from += HASHES_AT_ONCE) {
    const keys = hashes.slice(from, from + HASHES_AT_ONCE).map((hash) => Buffer.from(hash, 'hex'));
    const marks = keys.map(() => '?').join(', ');
    const query = database.prepare(`SELECT hash, used, row FROM vectors WHERE model = ? AND hash IN (${marks})`);
    for (const { hash, used, row } of query.all(model.digest, ...keys)) {
      if (!(hash instanceof Uint8Array) || !(row instanceof Uint8Array) || row.byteLength !== 4 * model.dimensions) continue;
      found.set(Buffer.from(hash).toString('hex'), vectorOf(row));
      if (Number(used) + USE_SECONDS <= now) stale.push(Buffer.from(hash));
    }
  }
  if (stale.length > 0) {
    const update = database.prepare('UPDATE vectors SET used = ? WHERE model = ? AND hash = ?');
    inTransaction(database, () => stale.forEach((hash) => update.run(now, model.digest, hash)));
  }
  return found;
}

/** Little-endian float32, copied: a blob may lie at an odd place. */
function vectorOf(row: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(row).buffer);
}

function writeVectors(database: DatabaseSync, model: CachedModel, vectors: ReadonlyMap<string, Float32Array>, now: number): void {
  const insert = database.prepare('INSERT INTO vectors (model, hash, used, row) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  inTransaction(database, () => {
    for (const [hash, vector] of vectors) {
      if (vector.length !== model.dimensions) throw new RangeError(`a vector of ${vector.length} numbers, not ${model.dimensions}`);
      insert.run(model.digest, Buffer.from(hash, 'hex'), now, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    }
  });
}

/** Deletes what was not used for longest until the content fits; with the freed pages the file shrinks. */
function collect(database: DatabaseSync, keptBytes: number): void {
  inTransaction(database, () => {
    const count = Number(valueOf(database, 'SELECT count(*) FROM vectors'));
    const surplus = Math.ceil(count * (1 - keptBytes / contentBytes(database)));
    const remove = 'DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY used, rowid LIMIT ?)';
    if (surplus > 0) database.prepare(remove).run(surplus);
  });
  database.exec('PRAGMA incremental_vacuum');
}

function contentBytes(database: DatabaseSync): number {
  const pages = Number(valueOf(database, 'PRAGMA page_count')) - Number(valueOf(database, 'PRAGMA freelist_count'));
  return pages * Number(valueOf(database, 'PRAGMA page_size'));
}

function valueOf(database: DatabaseSync, query: string, ...parameters: SQLInputValue[]): unknown {
  return Object.values(database.prepare(query).get(...parameters) ?? {})[0];
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
