import { chmod, copyFile, constants, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@reenact/domain';
import { mapLimited } from './map-limited.js';
import { isInnerLink, sortEntries } from './tree-manifest.js';
import type { TreeEntry } from './tree-manifest.js';

const PARALLEL = 16;

/** Stores the file at an absolute path. */
export type PutFile = (path: string) => Promise<{ ref: string; byteCount: number }>;

/** A file, link or empty directory that was found, before its content is stored. */
interface Found {
  path: string;
  kind: 'file' | 'executable' | 'link' | 'directory';
}

/**
 * Reads a directory into tree entries and stores its files. Links are kept as links and never followed.
 * @throws AppError `case-invalid` for a link that leads outside or anything that is no file, link or directory; the path is named.
 */
export async function readTree(directory: string, putFile: PutFile): Promise<TreeEntry[]> {
  const found = await walk(directory, '');
  return sortEntries(await mapLimited(found, PARALLEL, (item) => toEntry(directory, item, putFile)));
}

async function walk(root: string, relative: string): Promise<Found[]> {
  const children = await readdir(join(root, relative), { withFileTypes: true });
  if (children.length === 0 && relative !== '') return [{ path: relative, kind: 'directory' }];
  const found: Found[] = [];
  for (const child of children) {
    const path = relative === '' ? child.name : `${relative}/${child.name}`;
    if (child.isDirectory()) found.push(...(await walk(root, path)));
    else if (child.isSymbolicLink()) found.push({ path, kind: 'link' });
    else if (child.isFile()) found.push({ path, kind: 'file' });
    else throw new AppError('case-invalid', `${path} is neither file nor link nor directory.`, { hint: 'Leave it out of the tree.' });
  }
  return found;
}

async function toEntry(root: string, { path, kind }: Found, putFile: PutFile): Promise<TreeEntry> {
  const absolute = join(root, path);
  if (kind === 'directory') return { type: 'directory', path };
  if (kind === 'link') {
    const target = await readlink(absolute);
    if (isInnerLink(path, target)) return { type: 'link', path, target };
    throw new AppError('case-invalid', `The link ${path} leads outside the tree.`, {
      hint: 'Leave it out of the tree, or put a copy in its place.',
    });
  }
  const { mode } = await lstat(absolute);
  const { ref, byteCount } = await putFile(absolute);
  return { type: 'file', path, executable: (mode & 0o100) !== 0, ref, byteCount };
}

/**
 * Writes a tree as plain, writable copies. `blobPath` gives the checked path of a file's content.
 * @throws AppError `internal` when the directory is not empty.
 */
export async function writeTree(
  entries: readonly TreeEntry[],
  directory: string,
  blobPath: (entry: TreeEntry & { type: 'file' }) => Promise<string>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0) throw new AppError('internal', `${directory} is not empty: no tree can be checked out there.`);
  const directories = new Set(entries.map((entry) => (entry.type === 'directory' ? entry.path : dirname(entry.path))));
  for (const path of directories) await mkdir(join(directory, path), { recursive: true });
  await mapLimited(entries, PARALLEL, async (entry) => {
    const path = join(directory, entry.path);
    if (entry.type === 'link') await symlink(entry.target, path);
    if (entry.type !== 'file') return;
    // a reflink where the file system has them; never a hard link, which would let the candidate write into the store
    await copyFile(await blobPath(entry), path, constants.COPYFILE_FICLONE);
    await chmod(path, entry.executable ? 0o755 : 0o644);
  });
}
