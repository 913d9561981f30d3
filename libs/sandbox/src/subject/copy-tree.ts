import { copyFile, lstat, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Folders that are never part of a subject: version control, caches, environments, installed packages. */
const LEFT_OUT = new Set([
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  '.venv',
  'venv',
  'node_modules',
  '.reenact',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.ipynb_checkpoints',
]);

/** A single file above this stays out of the snapshot and is named. */
const BIG_FILE_BYTES = 256 * 1024 ** 2;
const MOST_NOTES = 50;

export interface CopiedTree {
  fileCount: number;
  byteCount: number;
  /** What was left out or needs a word, each with its path. */
  notes: string[];
}

/**
 * Copies a folder for a snapshot: dirty and untracked files too, without version control and caches. The source is only
 * read. Big files, links that lead outside, sockets and devices stay out and are named; large-file pointers are named.
 */
export async function copyTree(source: string, target: string): Promise<CopiedTree> {
  const result: CopiedTree = { fileCount: 0, byteCount: 0, notes: [] };
  const copy = async (relative: string): Promise<void> => {
    await mkdir(path.join(target, relative), { recursive: true });
    const entries = await readdir(path.join(source, relative), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const inner = path.join(relative, entry.name);
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name) && !(await isEnvironment(path.join(source, inner)))) await copy(inner);
      } else if (entry.isSymbolicLink()) await copyLink(source, target, inner, result);
      else if (entry.isFile()) await copyRegular(source, target, inner, result);
      else note(result, `${inner}: neither a file nor a folder, left out`);
    }
  };
  await copy('');
  return result;
}

async function isEnvironment(directory: string): Promise<boolean> {
  return lstat(path.join(directory, 'pyvenv.cfg')).then(
    () => true,
    () => false,
  );
}

async function copyLink(source: string, target: string, inner: string, result: CopiedTree): Promise<void> {
  const to = await readlink(path.join(source, inner));
  const resolved = path.resolve(path.dirname(path.join(source, inner)), to);
  if (path.isAbsolute(to) || !(resolved + path.sep).startsWith(source + path.sep)) {
    note(result, `${inner}: a link that leads outside, left out`);
    return;
  }
  await symlink(to, path.join(target, inner));
}

async function copyRegular(source: string, target: string, inner: string, result: CopiedTree): Promise<void> {
  const from = path.join(source, inner);
  const { size } = await lstat(from);
  if (size > BIG_FILE_BYTES) {
    note(result, `${inner}: ${Math.round(size / 1024 ** 2)} MiB, left out`);
    return;
  }
  if (size < 1024 && (await isLargeFilePointer(from))) note(result, `${inner}: a Git LFS pointer, its content is not here`);
  await copyFile(from, path.join(target, inner));
  result.fileCount += 1;
  result.byteCount += size;
}

async function isLargeFilePointer(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead).toString('latin1').startsWith('version https://git-lfs.github.com/spec/');
  } finally {
    await handle.close();
  }
}

function note(result: CopiedTree, text: string): void {
  if (result.notes.length < MOST_NOTES) result.notes.push(text);
}
