import { lstat, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { reachableFrom } from '@reenact/store';
import type { FolderArtifactStore, GarbageOptions, GarbageResult, SqliteRunStore } from '@reenact/store';

const GIB = 1024 ** 3;
/** Artefacts that no stored run names go above this; those of runs stay until `./reenact clean`. */
const ARTIFACT_BOUND_BYTES = 10 * GIB;

/** What can be made again, and how much of it may lie around: checkouts of stored trees, and built environments. */
const BOUNDS: Readonly<Record<string, number>> = { trees: 4 * GIB, environments: 30 * GIB };

/**
 * Brings the caches of a state directory below their bounds, oldest use first. Called when no run is open: nothing that is
 * removed is in use, and everything is made again when it is needed.
 *
 * @returns paths that were removed.
 */
export async function collectCaches(stateDirectory: string, bounds: Readonly<Record<string, number>> = BOUNDS): Promise<string[]> {
  const removed: string[] = [];
  for (const [name, boundBytes] of Object.entries(bounds)) removed.push(...(await collect(path.join(stateDirectory, name), boundBytes)));
  return removed;
}

/** Brings the artefacts below their bound: the oldest that no run, trial or model call leads to are removed. */
export async function collectArtifacts(
  artifacts: FolderArtifactStore,
  runs: Pick<SqliteRunStore, 'listHashes'>,
  options: Pick<GarbageOptions, 'minimumAgeSeconds'> & { maxBytes?: number } = {},
): Promise<GarbageResult> {
  const keep = await reachableFrom(runs.listHashes(), artifacts);
  return artifacts.collectGarbage({ maxBytes: ARTIFACT_BOUND_BYTES, ...options, keep });
}

interface CacheEntry {
  directory: string;
  bytes: number;
  usedAt: number;
}

async function collect(directory: string, boundBytes: number): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const entries = await Promise.all(names.map((name) => measure(path.join(directory, name))));
  let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const removed: string[] = [];
  for (const entry of entries.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= boundBytes) break;
    await rm(entry.directory, { recursive: true, force: true });
    total -= entry.bytes;
    removed.push(entry.directory);
  }
  return removed;
}

/** Says that a cache entry is in use now: the collection goes by the change time of the entry itself, which nothing else moves. */
export async function markUsed(entry: string): Promise<void> {
  const now = new Date();
  // A copy that cannot be marked (read-only state, gone since) is no reason to fail its user.
  await utimes(entry, now, now).catch(() => undefined);
}

/** Size of everything below, and when it was last marked as used. Access times will not do: measuring itself moves them. */
async function measure(directory: string): Promise<CacheEntry> {
  const top = await lstat(directory);
  const inner = top.isDirectory() ? await readdir(directory, { recursive: true, withFileTypes: true }) : [];
  let bytes = top.isDirectory() ? 0 : top.size;
  for (const entry of inner) if (entry.isFile()) bytes += (await lstat(path.join(entry.parentPath, entry.name))).size;
  return { directory, bytes, usedAt: top.mtimeMs };
}
