import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SkipReason, SourceKind } from '../source-files.js';
import { chunkerVersion } from './chunker-version.js';
import type { EncodedFile } from './parsed-file.js';
import type { Candidate } from './scan-tree.js';

/** What a file's content gave: a parse record, or the reason why it holds none. */
export interface RecordKey {
  id: number;
  reason: SkipReason | null;
  chunkCount: number;
}

/** A file of a revision: how it looked, what it held, and the record of that. */
export interface RevisionFile extends Candidate {
  sha256: string;
  /** False while another write could still leave the same times; such a file is hashed again. */
  isSettled: boolean;
  record: RecordKey;
}

interface StoredFile extends RevisionFile {
  /** Of the code that made the record. */
  version: string;
}

/** A revision as it is published. */
export interface RevisionDraft {
  name: string;
  /** The folder in which it was seen. */
  root: string;
  digest: string;
  files: RevisionFile[];
  /** Milliseconds since 1970. */
  now: number;
}

/** A file's content that is to be recorded. */
export interface RecordDraft {
  file: string;
  sha256: string;
  kind: SourceKind;
  /** Null where `reason` says why there is none. */
  encoded: EncodedFile | null;
  reason: SkipReason | null;
  now: number;
}

/** Records written in one transaction: few enough that a kill loses little, many enough that commits cost nothing. */
const RECORDS_PER_COMMIT = 200;
const BYTES_PER_COMMIT = 16 * 1024 * 1024;
/** An unchanged revision is marked as used this often, so that looking at a tree writes nothing. */
const USE_MARK_MILLISECONDS = 60 * 60 * 1000;
const NOTHING = new Uint8Array(0);

/** The tables of one repository's index. Whoever writes holds the writer lock. `onWrite` is called at each write, for tests of crashes. */
export class RepositoryStore {
  readonly database: DatabaseSync;
  private readonly onWrite: (point: string) => void;
  private readonly statements = new Map<string, StatementSync>();
  private pending = { records: 0, bytes: 0 };
  /** Files of the revision that was read last: a check that finds nothing new asks for them twice. */
  private loaded: { revision: number; files: Map<string, StoredFile> } | null = null;

  constructor(database: DatabaseSync, onWrite: (point: string) => void) {
    this.database = database;
    this.onWrite = onWrite;
  }

  /** The files of the revision that was seen last in this folder, by path. */
  lastFiles(root: string): Map<string, StoredFile> {
    const row = this.get('SELECT id FROM revision WHERE root = ? ORDER BY used_at DESC, id DESC LIMIT 1', root);
    if (row === undefined) return new Map();
    // Records of other code are of no use here.
    return new Map([...this.filesOf(Number(row['id']))].filter(([, file]) => file.version === chunkerVersion()));
  }

  /** The record of a content under a path, made by the code that runs now. */
  findRecord(file: string, sha256: string): RecordKey | null {
    const row = this.get(
      'SELECT id, reason, chunk_count FROM record WHERE path = ? AND sha256 = ? AND version = ?',
      file,
      sha256,
      chunkerVersion(),
    );
    return row === undefined ? null : toRecordKey(row);
  }

  /** Adds a record. It lasts from the next commit on, of its own batch or by {@link flush}. */
  putRecord(draft: RecordDraft): RecordKey {
    const { encoded, reason } = draft;
    if (this.pending.records === 0) this.database.exec('BEGIN IMMEDIATE');
    this.onWrite('record');
    const chunkCount = encoded?.chunkCount ?? 0;
    const blobs = [encoded?.text ?? NOTHING, encoded?.structure ?? NOTHING, encoded?.forward ?? NOTHING];
    const row = this.get(
      `INSERT INTO record (path, sha256, version, kind, reason, chunk_count, text, structure, forward, used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (path, sha256, version) DO UPDATE SET used_at = excluded.used_at RETURNING id`,
      ...[draft.file, draft.sha256, chunkerVersion(), draft.kind, reason, chunkCount, ...blobs, draft.now],
    );
    this.pending.records++;
    this.pending.bytes += blobs.reduce((sum, blob) => sum + blob.byteLength, 0);
    if (this.pending.records >= RECORDS_PER_COMMIT || this.pending.bytes >= BYTES_PER_COMMIT) this.flush();
    return { id: Number(row?.['id']), reason, chunkCount };
  }

  /** Commits the records that wait. */
  flush(): void {
    if (this.pending.records === 0) return;
    this.onWrite('commit-records');
    this.database.exec('COMMIT');
    this.pending = { records: 0, bytes: 0 };
    this.onWrite('records-committed');
  }

  /** Makes a revision what the draft says, whole or not at all; writes what differs from before. False where nothing had to be written. */
  publish(draft: RevisionDraft): boolean {
    this.flush();
    const before = this.get('SELECT id, root, digest, used_at FROM revision WHERE name = ?', draft.name);
    const old: ReadonlyMap<string, StoredFile> = before === undefined ? new Map() : this.filesOf(Number(before['id']));
    const changed = draft.files.filter((file) => !isSameFile(old.get(file.file), file));
    const present = new Set(draft.files.map((file) => file.file));
    const gone = [...old.keys()].filter((file) => !present.has(file));
    const isSame = before?.['root'] === draft.root && before['digest'] === draft.digest && changed.length === 0 && gone.length === 0;
    if (isSame && draft.now - Number(before['used_at']) < USE_MARK_MILLISECONDS) return false;
    this.inTransaction('revision', () => {
      const id = this.putRevision(draft);
      // A record that no revision holds any more counts as used until now.
      const left = [...gone, ...changed.map((file) => file.file)].flatMap((file) => old.get(file)?.record.id ?? []);
      for (const record of left) this.run('UPDATE record SET used_at = ? WHERE id = ?', draft.now, record);
      for (const file of gone) this.run('DELETE FROM file WHERE revision = ? AND path = ?', id, file);
      for (const file of changed) this.putFile(id, file);
    });
    return true;
  }

  /** Training loops kept with a revision's digest; null where they are not known. */
  readLoops(digest: string): string | null {
    const row = this.get('SELECT loops FROM revision WHERE digest = ? AND loops IS NOT NULL LIMIT 1', digest);
    return row === undefined ? null : String(row['loops']);
  }

  writeLoops(digest: string, loops: string): void {
    this.inTransaction('loops', () => this.run('UPDATE revision SET loops = ? WHERE digest = ?', loops, digest));
  }

  /** The stored bytes of a record; null for one that was collected meanwhile. */
  readRecord(id: number): Omit<EncodedFile, 'chunkCount'> | null {
    const row = this.get('SELECT text, structure, forward FROM record WHERE id = ?', id);
    return row === undefined ? null : (row as unknown as Omit<EncodedFile, 'chunkCount'>);
  }

  /** Runs several writes as one; `point` names them for tests of crashes. */
  inTransaction(point: string, work: () => void): void {
    this.loaded = null;
    this.database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.onWrite(point);
      this.database.exec('COMMIT');
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
    this.onWrite(`${point}-committed`);
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.prepare(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.prepare(sql).all(...values);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  close(): void {
    this.database.close();
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, known);
    return known;
  }

  private filesOf(revision: number): ReadonlyMap<string, StoredFile> {
    if (this.loaded?.revision !== revision) this.loaded = { revision, files: this.readFiles(revision) };
    return this.loaded.files;
  }

  private readFiles(revision: number): Map<string, StoredFile> {
    const rows = this.all(
      `SELECT f.path, f.bytes, f.modified_at, f.changed_at, f.inode, f.is_settled, f.sha256, r.id, r.version, r.kind, r.reason, r.chunk_count
       FROM file f JOIN record r ON r.id = f.record WHERE f.revision = ?`,
      revision,
    );
    return new Map(rows.map((row) => [String(row['path']), toStoredFile(row)]));
  }

  private putRevision({ name, root, digest, now }: RevisionDraft): number {
    const row = this.get(
      `INSERT INTO revision (name, root, digest, used_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET loops = CASE WHEN digest = excluded.digest THEN loops END,
         root = excluded.root, digest = excluded.digest, used_at = excluded.used_at
       RETURNING id`,
      ...[name, root, digest, now],
    );
    return Number(row?.['id']);
  }

  private putFile(revision: number, file: RevisionFile): void {
    this.run(
      `INSERT OR REPLACE INTO file (revision, path, bytes, modified_at, changed_at, inode, is_settled, sha256, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[
        revision,
        file.file,
        file.bytes,
        file.modifiedAt,
        file.changedAt,
        file.inode,
        file.isSettled ? 1 : 0,
        file.sha256,
        file.record.id,
      ],
    );
  }
}

function toRecordKey(row: Record<string, unknown>): RecordKey {
  return { id: Number(row['id']), reason: row['reason'] as SkipReason | null, chunkCount: Number(row['chunk_count']) };
}

function toStoredFile(row: Record<string, unknown>): StoredFile {
  return {
    version: String(row['version']),
    file: String(row['path']),
    kind: row['kind'] as SourceKind,
    bytes: Number(row['bytes']),
    modifiedAt: Number(row['modified_at']),
    changedAt: Number(row['changed_at']),
    inode: Number(row['inode']),
    sha256: String(row['sha256']),
    isSettled: row['is_settled'] === 1,
    record: toRecordKey(row),
  };
}

/** True where a file looks as it did: size, times and inode; a settled one then holds what it held. */
export function hasSameLook(left: Candidate, right: Candidate): boolean {
  return (
    left.bytes === right.bytes && left.modifiedAt === right.modifiedAt && left.changedAt === right.changedAt && left.inode === right.inode
  );
}

function isSameFile(old: RevisionFile | undefined, file: RevisionFile): boolean {
  return old !== undefined && hasSameLook(old, file) && old.isSettled === file.isSettled && old.record.id === file.record.id;
}
