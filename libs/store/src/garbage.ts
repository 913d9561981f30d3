import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeManifest } from './tree-manifest.js';
import type { TreeEntry } from './tree-manifest.js';

/** What to keep of an artefact folder, and how big it may stay. */
export interface GarbageOptions {
  /** References (`sha256:…`) and tree hashes that must stay, with all that the trees hold. */
  keep: Iterable<string>;
  /** Nothing is removed while the folder is not bigger than this. 0 = remove all that is not kept. */
  maxBytes: number;
  /** Younger content stays in any case: a running activity may have stored it and not yet told anybody. Default one hour. */
  minimumAgeSeconds?: number;
}

/** What a collection did. */
export interface GarbageResult {
  removedCount: number;
  removedBytes: number;
  keptBytes: number;
}

interface Stored {
  path: string;
  /** Reference of an object, tree hash of a manifest. */
  name: string;
  byteCount: number;
  changedSeconds: number;
}

const DEFAULT_MINIMUM_AGE_SECONDS = 3600;

/** Collects garbage under the root of a folder store. A manifest always goes before the content that it names. */
export async function collectGarbage(root: string, options: GarbageOptions): Promise<GarbageResult> {
  const youngestSeconds = Date.now() / 1000 - (options.minimumAgeSeconds ?? DEFAULT_MINIMUM_AGE_SECONDS);
  const keep = new Set(options.keep);
  await removeLeftOvers(join(root, 'aside'), youngestSeconds);
  const objects = await list(join(root, 'objects'), (name) => `sha256:${name}`);
  const trees = await list(join(root, 'trees'), (name) => name.replace(/\.json$/, ''));
  const totalBytes = [...objects, ...trees].reduce((sum, stored) => sum + stored.byteCount, 0);

  const contents = new Map<Stored, string[]>();
  for (const tree of trees) contents.set(tree, await refsOf(tree));
  const isFree = (stored: Stored) => !keep.has(stored.name) && stored.changedSeconds < youngestSeconds;
  const held = new Set(trees.filter((tree) => !isFree(tree)).flatMap((tree) => contents.get(tree) ?? []));
  const free = objects.filter((stored) => isFree(stored) && !held.has(stored.name)).sort((a, b) => a.changedSeconds - b.changedSeconds);

  const doomed = oldestBeyond(free, totalBytes - options.maxBytes);
  const doomedNames = new Set(doomed.map((stored) => stored.name));
  const doomedTrees = trees.filter(
    (tree) => isFree(tree) && (options.maxBytes === 0 || contents.get(tree)?.some((ref) => doomedNames.has(ref))),
  );
  const removed = [...(await removeAll(doomedTrees, youngestSeconds)), ...(await removeAll(doomed, youngestSeconds))];
  const removedBytes = removed.reduce((sum, stored) => sum + stored.byteCount, 0);
  return { removedCount: removed.length, removedBytes, keptBytes: totalBytes - removedBytes };
}

function oldestBeyond(free: readonly Stored[], excessBytes: number): Stored[] {
  const doomed: Stored[] = [];
  let freedBytes = 0;
  for (const stored of free) {
    if (freedBytes >= excessBytes) break;
    doomed.push(stored);
    freedBytes += stored.byteCount;
  }
  return doomed;
}

/** Looks once more right before each removal: somebody may just have stored the same content again. */
async function removeAll(doomed: readonly Stored[], youngestSeconds: number): Promise<Stored[]> {
  const removed: Stored[] = [];
  for (const stored of doomed) {
    const status = await stat(stored.path).catch(() => null);
    if (status === null || status.mtimeMs / 1000 >= youngestSeconds) continue;
    await rm(stored.path, { force: true });
    removed.push(stored);
  }
  return removed;
}

async function refsOf(tree: Stored): Promise<string[]> {
  const text = await readFile(tree.path, 'utf8').catch(() => '');
  try {
    return decodeManifest(text, tree.name)
      .filter((entry): entry is TreeEntry & { type: 'file' } => entry.type === 'file')
      .map((entry) => entry.ref);
  } catch {
    return []; // a damaged manifest holds nothing
  }
}

async function list(directory: string, nameOf: (fileName: string) => string): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const shard of await readdir(directory).catch(() => [])) {
    for (const fileName of await readdir(join(directory, shard)).catch(() => [])) {
      const path = join(directory, shard, fileName);
      const status = await stat(path).catch(() => null);
      if (status !== null) stored.push({ path, name: nameOf(fileName), byteCount: status.size, changedSeconds: status.mtimeMs / 1000 });
    }
  }
  return stored;
}

/** Files aside of writers that died. */
async function removeLeftOvers(directory: string, youngestSeconds: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const status = await stat(path).catch(() => null);
    if (status !== null && status.mtimeMs / 1000 < youngestSeconds) await rm(path, { force: true });
  }
}
