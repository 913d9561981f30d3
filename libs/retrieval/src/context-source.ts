import { openTree } from '@reenact/code-index';
import type { ContextSource } from '@reenact/domain';
import { assembleContexts } from './assemble.js';
import { indexTree, rankChunks } from './tree-index.js';
import type { TreeIndex } from './tree-index.js';

/** Settings of the embedded search. */
export interface ContextSourceOptions {
  /** Trees whose index is kept in memory, the latest used ones; 4 when not given. */
  cachedTrees?: number;
  /** Folder where what was parsed is kept over runs and restarts; in memory when not given. */
  directory?: string;
}

/** Snapshots are copies of many projects' states: as states of one repository they share whatever files they have in common. */
const SNAPSHOTS = 'snapshots of subjects';

/**
 * The embedded search: an index in memory per tree, built at the first question and kept by tree hash; files that any snapshot held before are not parsed again. Equal tree, query and
 * installed packages give byte-identical contexts, best first; a tree without code gives none.
 */
export function createContextSource({ cachedTrees = 4, directory }: ContextSourceOptions = {}): ContextSource {
  const cache = new Map<string, Promise<TreeIndex>>();
  return {
    async retrieve(treeDirectory, treeHash, query, installed = []) {
      const tree = await cachedIndex(cache, treeHash, () => indexSnapshot(treeDirectory, treeHash, directory));
      for (const oldest of [...cache.keys()].slice(0, Math.max(0, cache.size - cachedTrees))) cache.delete(oldest);
      return assembleContexts(tree, rankChunks(tree, query), { installed });
    },
  };
}

async function indexSnapshot(treeDirectory: string, treeHash: string, directory: string | undefined): Promise<TreeIndex> {
  const kept = directory === undefined ? {} : { directory, repository: SNAPSHOTS };
  const tree = await openTree(treeDirectory, { ...kept, revision: treeHash });
  try {
    return indexTree(await tree.codeIndex());
  } finally {
    tree.close();
  }
}

function cachedIndex(cache: Map<string, Promise<TreeIndex>>, treeHash: string, build: () => Promise<TreeIndex>): Promise<TreeIndex> {
  const built = cache.get(treeHash) ?? build();
  // Deleted and set again: the map's order is the order of use.
  cache.delete(treeHash);
  cache.set(treeHash, built);
  built.catch(() => cache.delete(treeHash));
  return built;
}
