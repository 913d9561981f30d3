import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { IndexName } from '@reenact/domain';
import type { BuiltGeneration } from './generation-builder.js';
import type { OpenFile, ReadOptions } from './generation-file.js';
import { readGeneration, writeGeneration } from './generation-file.js';

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
  write(name: IndexName, embedding: string | null, built: BuiltGeneration): Promise<void>;
  read(name: IndexName, options?: ReadOptions): Promise<OpenFile | null>;
  remove(name: IndexName): Promise<void>;
  /** Removes the generations used longest ago beyond the limits, and what killed writers left; never the one named. */
  collect(limits: KeepLimits, keep: IndexName): Promise<void>;
}

/** Opens a folder; it is made at the first write. */
export function openGenerationFolder(directory: string): GenerationFolder {
  const fileOf = (name: IndexName): string => path.join(directory, `${keyOf(name)}${SUFFIX}`);
  return {
    async write(name, embedding, built) {
      await mkdir(directory, { recursive: true });
      const aside = path.join(directory, `${randomUUID()}${ASIDE}`);
      try {
        await writeAside(aside, { ...name, embedding }, built);
        await rename(aside, fileOf(name));
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
      await syncFolder(directory);
    },
    async read(name, options) {
      const opened = await readGeneration(fileOf(name), name, options);
      const now = new Date();
      // the time of use, for the collection; a folder that may only be read works too
      if (opened !== null) await utimes(fileOf(name), now, now).catch(() => undefined);
      return opened;
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    collect: (limits, keep) => collect(directory, limits, fileOf(keep)),
  };
}

function keyOf({ repository, revision }: IndexName): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, revision]))
    .digest('hex');
}

async function writeAside(aside: string, title: IndexName & { embedding: string | null }, built: BuiltGeneration): Promise<void> {
  const file = await open(aside, 'wx');
  try {
    const { repository, revision, embedding } = title;
    await writeGeneration(file, { repository, revision, embedding }, built);
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

async function collect(directory: string, limits: KeepLimits, keep: string): Promise<void> {
  const entries: { file: string; bytes: number; usedMs: number }[] = [];
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => null);
    if (found === null) continue;
    if (name.endsWith(ASIDE) && Date.now() - found.mtimeMs > ABANDONED_SECONDS * 1000) await rm(file, { force: true });
    if (name.endsWith(SUFFIX)) entries.push({ file, bytes: found.size, usedMs: file === keep ? Infinity : found.mtimeMs });
  }
  entries.sort((left, right) => right.usedMs - left.usedMs);
  let bytes = 0;
  for (const [place, entry] of entries.entries()) {
    bytes += entry.bytes;
    if (entry.file !== keep && (place >= limits.generations || bytes > limits.bytes)) await rm(entry.file, { force: true });
  }
}
