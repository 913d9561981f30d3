import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: aside in `asideDirectory` (on the same file system), synced, renamed over `path`.
 * A process that dies on the way leaves at most a file aside, never half of `path`.
 */
export async function writeFileAside(
  path: string,
  content: string | Uint8Array,
  options: { asideDirectory?: string; mode?: number } = {},
): Promise<void> {
  const aside = join(options.asideDirectory ?? dirname(path), asideName());
  try {
    const file = await open(aside, 'wx', options.mode ?? 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

const ASIDE_PREFIX = '.aside-';

/** A name that no other writer uses. */
export function asideName(): string {
  return `${ASIDE_PREFIX}${randomUUID()}`;
}

/** True for what a dead writer may have left. */
export function isAsideName(name: string): boolean {
  return name.startsWith(ASIDE_PREFIX);
}

/** Makes renames in a directory last through a power failure; systems that can't sync a directory don't need it. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}
