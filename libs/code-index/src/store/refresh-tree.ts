import { hash } from 'node:crypto';
import { compareText } from '../chunk.js';
import { nextTurn } from '../next-turn.js';
import type { SkippedPath } from '../source-files.js';
import { chunkerVersion } from './chunker-version.js';
import type { IndexCounts, IndexPlan, IndexProgress } from './index-progress.js';
import { bytesOf, planOf, trackProgress } from './index-progress.js';
import type { ParserPool } from './parser-pool.js';
import { openParserPool } from './parser-pool.js';
import type { ReadFile } from './read-source.js';
import { readSource } from './read-source.js';
import type { RepositoryStore, RevisionFile } from './repository-store.js';
import { hasSameLook } from './repository-store.js';
import type { Candidate } from './scan-tree.js';
import { scanTree } from './scan-tree.js';

/** How a tree is looked at. */
export interface RefreshOptions {
  /** Told what will be indexed and what not; nothing is read before it is done with that. */
  onPlan?: (plan: IndexPlan) => void | Promise<void>;
  onProgress?: (progress: IndexProgress) => void;
  signal?: AbortSignal;
  /** Parser threads, 0 for the calling thread; by the work and the number of processors when not given. */
  threads?: number;
  /** The clock, milliseconds since 1970. */
  now?: () => number;
}

/** A tree as it was just seen; the contents of all its files are recorded. */
export interface TreeState {
  /** SHA-256 over the paths and contents of the indexed files and the code that read them: equal digest, equal index. */
  digest: string;
  /** By path; those whose record holds a reason are not indexed. */
  files: RevisionFile[];
  /** By path. */
  skipped: SkippedPath[];
  counts: IndexCounts;
}

interface Refresh {
  store: RepositoryStore;
  root: string;
  options: RefreshOptions;
  files: RevisionFile[];
  skipped: SkippedPath[];
  counts: IndexCounts;
}

/** Files read before the event loop gets a turn. */
const READS_PER_TURN = 32;

/**
 * Looks at a tree: the size and times of every file, the bytes of those that look new or other, and the syntax of those whose content is
 * not recorded yet. New records are committed in batches, so that a killed or aborted run goes on where it stopped.
 */
export async function refreshTree(store: RepositoryStore, root: string, options: RefreshOptions): Promise<TreeState> {
  const scan = await scanTree(root);
  await options.onPlan?.(planOf(scan));
  const counts = { stated: scan.candidates.length, hashed: 0, parsed: 0, tokenised: 0 };
  const refresh: Refresh = { store, root, options, files: [], skipped: [...scan.skipped], counts };
  await readNew(refresh, takeUnchanged(refresh, scan.candidates));
  const { files, skipped } = refresh;
  for (const { file, record } of files) if (record.reason !== null) skipped.push({ path: file, reason: record.reason });
  files.sort((left, right) => compareText(left.file, right.file));
  skipped.sort((left, right) => compareText(left.path, right.path));
  return { digest: digestOf(files), files, skipped, counts };
}

/** Keeps the files that look as they did; answers the others. */
function takeUnchanged(refresh: Refresh, candidates: Candidate[]): Candidate[] {
  const known = refresh.store.lastFiles(refresh.root);
  return candidates.filter((candidate) => {
    const before = known.get(candidate.file);
    if (before?.isSettled !== true || !hasSameLook(before, candidate)) return true;
    refresh.files.push(before);
    return false;
  });
}

async function readNew(refresh: Refresh, candidates: Candidate[]): Promise<void> {
  const { store, options } = refresh;
  const pool = openParserPool({ files: candidates.length, bytes: bytesOf(candidates) }, options.threads);
  const underWay = new Set<Promise<void>>();
  const done = trackProgress(candidates, options.onProgress);
  try {
    for (const [index, candidate] of candidates.entries()) {
      options.signal?.throwIfAborted();
      const task = readOne(refresh, pool, candidate).then(() => {
        underWay.delete(task);
        done(candidate);
      });
      // Seen by the race or by the last wait below; one that fails in between must not end the process.
      task.catch(() => undefined);
      underWay.add(task);
      if (underWay.size >= pool.capacity) await Promise.race(underWay);
      if (index % READS_PER_TURN === 0) await nextTurn();
    }
    await Promise.all(underWay);
    store.flush();
  } catch (error) {
    keepWork(store);
    throw error;
  } finally {
    await pool.close();
  }
}

async function readOne(refresh: Refresh, pool: ParserPool, candidate: Candidate): Promise<void> {
  const { store, counts, options } = refresh;
  const now = (options.now ?? Date.now)();
  const read = readSource(refresh.root, candidate, now);
  if (typeof read === 'string') return void refresh.skipped.push({ path: candidate.file, reason: read });
  counts.hashed++;
  const known = store.findRecord(candidate.file, read.sha256);
  if (known !== null) return void refresh.files.push(toRevisionFile(read, known));
  const { file, kind } = candidate;
  const outcome = await pool.parse({ file, kind, bytes: read.bytes });
  // Whether a thread dies may depend on the machine's memory: nothing is recorded, and the next run tries again.
  if (outcome.status === 'skipped' && outcome.reason === 'unparsable') {
    return void refresh.skipped.push({ path: file, reason: outcome.reason });
  }
  const encoded = outcome.status === 'parsed' ? outcome.encoded : null;
  const reason = outcome.status === 'skipped' ? outcome.reason : null;
  const record = store.putRecord({ file, kind, sha256: read.sha256, encoded, reason, now });
  counts.parsed++;
  counts.tokenised += record.chunkCount;
  refresh.files.push(toRevisionFile(read, record));
}

function toRevisionFile({ look, sha256, isSettled }: ReadFile, record: RevisionFile['record']): RevisionFile {
  return { ...look, sha256, isSettled, record };
}

/** What was parsed before a failure is kept where the failure lets us. */
function keepWork(store: RepositoryStore): void {
  try {
    store.flush();
  } catch {
    // the failure itself is what the caller has to hear of
  }
}

function digestOf(files: RevisionFile[]): string {
  const lines = files.filter(({ record }) => record.reason === null).map(({ file, sha256 }) => `${file}\0${sha256}`);
  return hash('sha256', [chunkerVersion(), ...lines].join('\n'));
}
