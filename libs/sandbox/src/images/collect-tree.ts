import { lstat, readdir, readlink } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { AppError } from '@reenact/domain';
import type { LayerEntry, LayerTree } from './layer-entry.js';

export interface CollectOptions {
  /** Path in the image, without a leading slash; '' is its root. */
  inner: string;
  /** Leaves an entry out, and what lies below it; gets the path in the image and the entry's name. */
  isLeftOut?: (inner: string, name: string, isDirectory: boolean) => boolean;
}

/**
 * Adds a file, link or folder of this machine to a tree, folders with all they hold. Links are taken as they are and never followed;
 * sockets, pipes and devices are left out.
 * @throws AppError `image-not-buildable` for what cannot be read.
 */
export async function collectTree(tree: LayerTree, host: string, options: CollectOptions): Promise<void> {
  const found = await reading(host, () => lstat(host, { bigint: true }));
  if (options.inner !== '') addEntry(tree, await entryOf(host, options.inner, found));
  if (!found.isDirectory()) return;
  const children = await reading(host, () => readdir(host, { withFileTypes: true }));
  for (const child of children) {
    const inner = options.inner === '' ? child.name : `${options.inner}/${child.name}`;
    if (options.isLeftOut?.(inner, child.name, child.isDirectory()) === true) continue;
    await collectTree(tree, `${host === '/' ? '' : host}/${child.name}`, { ...options, inner });
  }
}

function addEntry(tree: LayerTree, entry: LayerEntry | null): void {
  if (entry !== null) tree.set(entry.path, entry);
}

async function entryOf(host: string, path: string, found: BigIntStats): Promise<LayerEntry | null> {
  if (path.includes('\ufffd')) {
    throw new AppError('image-not-buildable', `The name of ${JSON.stringify(host)} is not UTF-8, which an image cannot hold.`, {
      hint: 'Rename or remove it, then build again.',
    });
  }
  if (found.isDirectory()) return { kind: 'directory', path };
  if (found.isSymbolicLink()) return { kind: 'symlink', path, target: await reading(host, () => readlink(host)) };
  if (!found.isFile()) return null;
  const body = { source: host, bytes: Number(found.size), stamp: `${found.mtimeNs}.${found.ctimeNs}` };
  return { kind: 'file', path, isExecutable: (found.mode & 0o111n) !== 0n, body };
}

/** Runs a look at this machine's files; what fails is said with its path. */
export async function reading<T>(path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AppError('image-not-buildable', `${path} cannot be read (${code ?? String(error)}).`, {
      hint: 'Make it readable for this user, or build as one who may read it; then start again.',
      cause: error,
    });
  }
}
