import { hash } from 'node:crypto';
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import { isDamaged, takeLock, withLock } from '@reenact/store';
import type { KeepLimits } from './collect-store.js';
import { collectFolder, collectStore, DEFAULT_LIMITS, markUsed } from './collect-store.js';
import { lockFileOf, markDamaged, openIndexDatabase, openMemoryDatabase } from './index-database.js';
import type { LoopCache, OpenedTree } from './opened-tree.js';
import { openedTree } from './opened-tree.js';
import type { RefreshOptions, TreeState } from './refresh-tree.js';
import { refreshTree } from './refresh-tree.js';
import { RepositoryStore } from './repository-store.js';

/** Where and how a tree is indexed. */
export interface OpenTreeOptions extends RefreshOptions {
  /** Folder with a database for each repository; in memory when not given. */
  directory?: string;
  /** What the tree is a state of; trees of one repository share what was parsed. The tree's own path when not given. */
  repository?: string;
  /** Branch, commit or another name for the state; the tree's path when not given. */
  revision?: string;
  /** Told what a user should know: an index that was damaged, another process that is waited for. */
  onNotice?: (message: string) => void;
  limits?: Partial<KeepLimits>;
  /** Called at every write, so that tests can end the process there. */
  onWrite?: (point: string) => void;
}

/**
 * Brings the index of a tree up to date and opens it: only files that changed are read, only contents that no revision of the repository
 * held are parsed. One process at a time does so for a repository; a kill at any point leaves an index from which the next run goes on.
 * @throws AppError `subject-not-found` where there is no such folder, `config-invalid` where indexes can't be kept; the signal's reason
 * when aborted.
 */
export async function openTree(treeDirectory: string, options: OpenTreeOptions = {}): Promise<OpenedTree> {
  const root = existingFolder(treeDirectory);
  const revision = options.revision ?? root;
  if (options.directory === undefined) {
    const store = new RepositoryStore(openMemoryDatabase(), () => undefined);
    const state = await refreshTree(store, root, options);
    const loops = { read: () => null, write: () => undefined };
    return openedTree({ store, loops, onDamage: () => undefined }, revision, state);
  }
  const file = databaseFile(writableFolder(options.directory), options.repository ?? root);
  const notice = options.onNotice ?? (() => undefined);
  const onWait = () => notice('Another process indexes this repository; waiting for it.');
  return await withLock(lockFileOf(file), { onWait, signal: options.signal }, async () => {
    const opened = await openStored(file, { root, revision, options });
    collectFolder(path.dirname(file), { current: file, now: nowOf(options), limits: limitsOf(options) });
    return opened;
  });
}

/** Path of a repository's database; its name says nothing about the repository's, which may hold anything. */
export function databaseFile(directory: string, repository: string): string {
  return path.join(directory, `${hash('sha256', repository).slice(0, 32)}.sqlite`);
}

interface StoredRequest {
  root: string;
  revision: string;
  options: OpenTreeOptions;
}

async function openStored(file: string, request: StoredRequest): Promise<OpenedTree> {
  try {
    return await refreshStored(file, request);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    markDamaged(file);
    return await refreshStored(file, request);
  }
}

async function refreshStored(file: string, { root, revision, options }: StoredRequest): Promise<OpenedTree> {
  const { onNotice = () => undefined, onWrite = () => undefined } = options;
  const store = new RepositoryStore(openIndexDatabase(file, { onNotice, onWrite }), onWrite);
  try {
    const state = await refreshTree(store, root, options);
    const now = nowOf(options);
    const isWritten = store.publish({ name: revision, root, digest: state.digest, files: state.files, now });
    if (isWritten) {
      collectStore(store, { current: revision, now, limits: limitsOf(options) });
      markUsed(file, now);
    }
    const source = { store, loops: loopCache(store, file, state), onDamage: () => markDamaged(file) };
    return openedTree(source, revision, state);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Loops are kept when nobody writes at the moment; else they are found again the next time. */
function loopCache(store: RepositoryStore, file: string, { digest }: TreeState): LoopCache {
  return {
    read: () => store.readLoops(digest),
    write(loops) {
      const lock = takeLock(lockFileOf(file));
      if (lock === null) return;
      try {
        store.writeLoops(digest, loops);
      } finally {
        lock.release();
      }
    },
  };
}

function existingFolder(treeDirectory: string): string {
  const found = statSync(treeDirectory, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) {
    const what = found === undefined ? 'does not exist' : 'is not a folder';
    throw new AppError('subject-not-found', `${treeDirectory} ${what}.`, { hint: 'Name the folder of the project.' });
  }
  try {
    accessSync(treeDirectory, constants.R_OK | constants.X_OK);
  } catch (cause) {
    throw new AppError('subject-not-found', `${treeDirectory} can't be read.`, { hint: 'Give this user the right to read it.', cause });
  }
  return realpathSync(treeDirectory);
}

function writableFolder(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK | constants.X_OK);
    return directory;
  } catch (cause) {
    throw new AppError('config-invalid', `Indexes can't be kept in ${directory}.`, {
      hint: 'Choose a folder that this user may write.',
      cause,
    });
  }
}

function limitsOf(options: OpenTreeOptions): KeepLimits {
  return { ...DEFAULT_LIMITS, ...options.limits };
}

function nowOf(options: OpenTreeOptions): number {
  return (options.now ?? Date.now)();
}
