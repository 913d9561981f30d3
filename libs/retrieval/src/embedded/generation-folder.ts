import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { IndexName } from '@reenact/domain';
import { isAppError } from '@reenact/domain';
import type { BuiltGeneration } from './generation-builder.js';
import type { GenerationTitle, OnWrite, OpenFile, ReadOptions } from './generation-file.js';
import { readGeneration, readTitle, writeGeneration } from './generation-file.js';

/** How much of the past is kept. */
export interface KeepLimits {
  generations: number;
  bytes: number;
}

const SUFFIX = '.generation';
const ASIDE = '.aside';
/** A file written aside for longer than this belongs to a process that was killed. */
const ABANDONED_SECONDS = 3600;

/** The folder that holds one file for each published revision. Names of repositories never become part of a path. */
export interface GenerationFolder {
  /** Writes aside, makes durable, renames: at any moment the old file or the new one is there, whole. */
  write(title: GenerationTitle, built: BuiltGeneration): Promise<void>;
  read(name: IndexName, options?: ReadOptions): Promise<OpenFile | null>;
  /** The generation of a repository that was used last, of those whose files are known by digests; null where there is none. */
  latest(repository: string): Promise<OpenFile | null>;
  remove(name: IndexName): Promise<void>;
  /** Removes the generations used longest ago beyond the limits, and what killed writers left; never the one named. */
  collect(limits: KeepLimits, keep: IndexName): Promise<void>;
}

/** Opens a folder; it is made at the first write. */
export function openGenerationFolder(directory: string, onWrite: OnWrite): GenerationFolder {
  const fileOf = (name: IndexName): string => path.join(directory, `${keyOf(name)}${SUFFIX}`);
  return {
    async write(title, built) {
      await mkdir(directory, { recursive: true });
      const aside = path.join(directory, `${randomUUID()}${ASIDE}`);
      try {
        onWrite('create');
        await writeAside(aside, (file) => writeGeneration(file, title, built, onWrite));
        onWrite('rename');
        await rename(aside, fileOf(title));
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
      onWrite('sync-folder');
      await syncFolder(directory);
    },
    async read(name, options) {
      const opened = await readGeneration(fileOf(name), name, options);
      const now = new Date();
      // the time of use, for the collection; a folder that may only be read works too
      if (opened !== null) await utimes(fileOf(name), now, now).catch(() => undefined);
      return opened;
    },
    latest: (repository) => findLatest(directory, repository),
    remove: (name) => rm(fileOf(name), { force: true }),
    async collect(limits, keep) {
      for (const file of await surplusFiles(directory, limits, fileOf(keep))) {
        onWrite('collect');
        await rm(file, { force: true });
      }
    },
  };
}

function keyOf({ repository, revision }: IndexName): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, revision]))
    .digest('hex');
}

async function writeAside(aside: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(aside, 'wx');
  try {
    await write(file);
  } finally {
    await file.close();
  }
}

/** Makes the rename durable as well. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

interface Entry {
  file: string;
  bytes: number;
  usedMs: number;
}

/** Files with such an end, the one used last first. */
async function entriesOf(directory: string, suffix: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith(suffix)) continue;
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => null);
    if (found !== null) entries.push({ file, bytes: found.size, usedMs: found.mtimeMs });
  }
  return entries.sort((left, right) => right.usedMs - left.usedMs);
}

async function findLatest(directory: string, repository: string): Promise<OpenFile | null> {
  for (const { file } of await entriesOf(directory, SUFFIX)) {
    const title = await readTitle(file).catch(ignoreDamage);
    if (title === null || title.repository !== repository || !title.isFiled) continue;
    // Only the lexical part is taken over: vectors stay in the file.
    const opened = await readGeneration(file, title, { rowsInMemoryBelow: 0 }).catch(ignoreDamage);
    if (opened !== null) return opened;
  }
  return null;
}

/** What cannot be read is made anew; it is told where it is opened for searching. */
function ignoreDamage(error: unknown): null {
  if (isAppError(error) && error.code === 'index-damaged') return null;
  throw error;
}

/** What killed writers left, and generations used longest ago beyond the limits. */
async function surplusFiles(directory: string, limits: KeepLimits, keep: string): Promise<string[]> {
  const abandoned = (await entriesOf(directory, ASIDE)).filter(({ usedMs }) => Date.now() - usedMs > ABANDONED_SECONDS * 1000);
  const entries = await entriesOf(directory, SUFFIX);
  entries.sort((left, right) => Number(right.file === keep) - Number(left.file === keep));
  let bytes = 0;
  const beyond = entries.filter((entry, place) => {
    bytes += entry.bytes;
    return entry.file !== keep && (place >= limits.generations || bytes > limits.bytes);
  });
  return [...abandoned, ...beyond].map(({ file }) => file);
}
