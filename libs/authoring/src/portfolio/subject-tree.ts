import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, posix, sep } from 'node:path';

/** Read-only view of a subject's files. Paths are relative to the tree, with `/`. */
export interface SubjectTree {
  files: string[];
  has(path: string): boolean;
  /** Text of a regular file of the tree; null when it is absent, too big, a link that leads outside, or not text. */
  read(path: string): string | null;
}

/** Project files beyond this size are no sources that rules read. */
const MAX_SOURCE_BYTES = 512 * 1024;

/**
 * Opens a tree for reading. Only listed files can be read, and only such that lie inside the directory after links are
 * followed, so that no path out of a report or a project reaches anything else. Listed paths that leave the tree are dropped.
 */
export function openTree(directory: string, files: string[]): SubjectTree {
  const listed = files.filter((file) => isInnerPath(file));
  const names = new Set(listed);
  const texts = new Map<string, string | null>();
  return {
    files: listed,
    has: (path) => names.has(path),
    read: (path) => {
      if (!names.has(path)) return null;
      if (!texts.has(path)) texts.set(path, readInside(directory, path));
      return texts.get(path) ?? null;
    },
  };
}

/** A tree that is held in memory, for tests and for callers that have the texts already. */
export function treeOfTexts(texts: Record<string, string>): SubjectTree {
  return {
    files: Object.keys(texts),
    has: (path) => Object.hasOwn(texts, path),
    read: (path) => (Object.hasOwn(texts, path) ? texts[path]! : null),
  };
}

/** True for a relative path without `..` that names something below its root. */
export function isInnerPath(path: string): boolean {
  if (path === '' || path.includes('\0') || path.includes('\\') || isAbsolute(path)) return false;
  const normal = posix.normalize(path);
  return normal !== '.' && normal !== '..' && !normal.startsWith('../');
}

function readInside(directory: string, path: string): string | null {
  try {
    const root = realpathSync(directory);
    const real = realpathSync(join(root, path));
    const stat = lstatSync(real);
    if (!real.startsWith(root + sep) || !stat.isFile() || stat.size > MAX_SOURCE_BYTES) return null;
    const text = readFileSync(real, 'utf8');
    return text.includes('\0') ? null : text;
  } catch {
    // A file that vanished or cannot be read is as good as absent: rules then propose less.
    return null;
  }
}

/**
 * The file of the tree that a report's path means: itself, or the one file that shares its base name and most of its
 * folders; null when there is none or several are equally near.
 */
export function nearestFile(tree: SubjectTree, path: string): string | null {
  const normal = posix.normalize(path.replaceAll('\\', '/').replace(/^\.\//, ''));
  if (tree.has(normal)) return normal;
  const parts = normal.split('/').filter((part) => part !== '' && part !== '..');
  const base = parts.at(-1);
  if (base === undefined) return null;
  const scored = tree.files
    .filter((file) => file === base || file.endsWith(`/${base}`))
    .map((file) => ({ file, score: commonTail(parts, file.split('/')), depth: file.split('/').length }))
    .sort((a, b) => b.score - a.score || a.depth - b.depth || (a.file < b.file ? -1 : 1));
  const [best, second] = scored;
  if (!best) return null;
  return second && second.score === best.score && second.depth === best.depth ? null : best.file;
}

function commonTail(a: string[], b: string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}
