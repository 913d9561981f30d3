import { buildCodeIndex } from '@reenact/code-index';
import type { ContextSource } from '@reenact/domain';
import { assembleContexts } from './assemble.js';
import { indexTree, rankChunks } from './tree-index.js';
import type { TreeIndex } from './tree-index.js';

/** Settings of the embedded search. */
export interface ContextSourceOptions {
  /** Trees whose index is kept in memory, the latest used ones; 4 when not given. */
  cachedTrees?: number;
}

/**
 * The embedded search: an index in memory per tree, built at the first question and kept by tree hash. Equal tree, query and
 * installed packages give byte-identical contexts, best first; a tree without code gives none.
 */
export function createContextSource({ cachedTrees = 4 }: ContextSourceOptions = {}): ContextSource {
  const cache = new Map<string, Promise<TreeIndex>>();
  return {
    async retrieve(treeDirectory, treeHash, query, installed = []) {
      const tree = await cachedIndex(cache, treeHash, treeDirectory);
      for (const oldest of [...cache.keys()].slice(0, Math.max(0, cache.size - cachedTrees))) cache.delete(oldest);
      return assembleContexts(tree, rankChunks(tree, query), { installed });
    },
  };
}

function cachedIndex(cache: Map<string, Promise<TreeIndex>>, treeHash: string, treeDirectory: string): Promise<TreeIndex> {
  const built = cache.get(treeHash) ?? buildCodeIndex(treeDirectory).then(indexTree);
  // Deleted and set again: the map's order is the order of use.
  cache.delete(treeHash);
  cache.set(treeHash, built);
  built.catch(() => cache.delete(treeHash));
  return built;
}
