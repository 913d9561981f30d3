import type { Dirent, Stats } from 'node:fs';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { compareText } from '../chunk.js';
import { nextTurn } from '../next-turn.js';
import type { SkippedPath, SkipReason, SourceKind } from '../source-files.js';
import { LARGEST_BYTES, sourceKind } from '../source-files.js';

/** A file that is to be indexed, as the file system describes it. */
export interface Candidate {
  /** Relative to the tree, with `/`. */
  file: string;
  kind: SourceKind;
  bytes: number;
  /** Milliseconds since 1970, with fractions. */
  modifiedAt: number;
  /** Change of the inode, which a program can't set back. */
  changedAt: number;
  inode: number;
}

/** What a walk over a tree found, both lists in the order of paths. */
export interface TreeScan {
  candidates: Candidate[];
  skipped: SkippedPath[];
}

const MEBIBYTE = 1024 * 1024;
/** Beyond these the rest of the tree is named as skipped, so that time and memory stay bounded. */
const MOST_FILES = 40_000;
const MOST_BYTES = 256 * MEBIBYTE;
const MOST_ENTRIES = 500_000;
/** A folder with more JSON files holds annotations or records, not settings. */
const MOST_JSON_FILES = 200;
/** Folders read before the event loop gets a turn. */
const FOLDERS_PER_TURN = 50;

const CACHE_FOLDERS = new Set([
  '__pycache__',
  '__pypackages__',
  'node_modules',
  'bower_components',
  'venv',
  'wandb',
  'mlruns',
  'lightning_logs',
  'htmlcov',
]);
const VENDORED_FOLDERS = new Set([
  'site-packages',
  'dist-packages',
  'third_party',
  'third-party',
  'thirdparty',
  '3rdparty',
  'vendor',
  'vendored',
  '_vendor',
  '_vendored',
  'external_libs',
]);
/** Files that say that a folder is an environment or a cache; what lies beside the first two is no project's code. */
const ENVIRONMENT_MARKS = ['pyvenv.cfg', 'conda-meta', 'CACHEDIR.TAG'];
/** Build outputs, unless they are a package of the project's own. */
const BUILD_FOLDERS = new Set(['build', 'dist', '_build', 'eggs']);

interface Walk extends TreeScan {
  root: string;
  bytes: number;
  entries: number;
}

/**
 * The files of a tree that say how the project works, and everything that is left out with its reason. Nothing is opened. Links are
 * never followed, so nothing outside the tree is seen. Rules look at paths relative to the tree only.
 */
export async function scanTree(treeDirectory: string): Promise<TreeScan> {
  const walk: Walk = { root: treeDirectory, candidates: [], skipped: [], bytes: 0, entries: 0 };
  const pending = [''];
  for (let folder = pending.pop(), count = 1; folder !== undefined; folder = pending.pop(), count++) {
    pending.push(...readFolder(walk, folder));
    if (count % FOLDERS_PER_TURN === 0) await nextTurn();
  }
  walk.candidates.sort((left, right) => compareText(left.file, right.file));
  walk.skipped.sort((left, right) => compareText(left.path, right.path));
  return { candidates: walk.candidates, skipped: walk.skipped };
}

function readFolder(walk: Walk, folder: string): string[] {
  const entries = entriesOf(path.join(walk.root, folder));
  if (entries === null) {
    walk.skipped.push({ path: folder, reason: 'unreadable' });
    return [];
  }
  entries.sort((left, right) => compareText(left.name, right.name));
  const inEnvironment = entries.some((entry) => ENVIRONMENT_MARKS.includes(entry.name));
  const isData = entries.filter((entry) => entry.name.endsWith('.json')).length > MOST_JSON_FILES;
  const inner: string[] = [];
  for (const entry of entries) {
    const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const reason = ++walk.entries > MOST_ENTRIES ? 'too-many-files' : skipReason(entry, { inEnvironment, isData });
    if (reason !== null) walk.skipped.push({ path: relative, reason });
    else if (entry.isDirectory()) descend(walk, relative, inner);
    else noteFile(walk, relative);
  }
  return inner.reverse();
}

function entriesOf(directory: string): Dirent[] | null {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return null;
  }
}

function descend(walk: Walk, relative: string, inner: string[]): void {
  const isBuild = BUILD_FOLDERS.has(relative.slice(relative.lastIndexOf('/') + 1));
  const ownPackage = isBuild && statOf(path.join(walk.root, relative, '__init__.py')) !== null;
  if (isBuild && !ownPackage) walk.skipped.push({ path: relative, reason: 'generated' });
  else inner.push(relative);
}

function skipReason(entry: Dirent, folder: { inEnvironment: boolean; isData: boolean }): SkipReason | null {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.name.startsWith('.')) return 'hidden';
  if (!entry.isDirectory()) return folder.isData && entry.name.endsWith('.json') ? 'data' : null;
  if (folder.inEnvironment || CACHE_FOLDERS.has(entry.name)) return 'cache';
  if (VENDORED_FOLDERS.has(entry.name)) return 'vendored';
  return entry.name.endsWith('.egg-info') ? 'generated' : null;
}

function noteFile(walk: Walk, file: string): void {
  const kind = sourceKind(file);
  if (kind === null) return;
  const skip = (reason: SkipReason): void => void walk.skipped.push({ path: file, reason });
  const found = statOf(path.join(walk.root, file));
  if (found?.isFile() !== true) return skip('unreadable');
  const { size: bytes, mtimeMs: modifiedAt, ctimeMs: changedAt, ino: inode } = found;
  if (bytes > LARGEST_BYTES[kind]) return skip('too-big');
  if (walk.candidates.length >= MOST_FILES || walk.bytes + bytes > MOST_BYTES) return skip('too-many-files');
  walk.bytes += bytes;
  walk.candidates.push({ file, kind, bytes, modifiedAt, changedAt, inode });
}

function statOf(absolute: string): Stats | null {
  try {
    return lstatSync(absolute);
  } catch {
    return null;
  }
}
