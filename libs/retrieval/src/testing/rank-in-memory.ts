import type { CodeIndex } from '@reenact/code-index';
import type { ContextQuery } from '@reenact/domain';
import { rankTree } from '../rank-tree.js';
import type { Ranking } from '../rank-tree.js';
import { createMemoryChunkIndex } from './memory-chunk-index.js';

/** What a query finds in a tree by words alone, in memory. */
export async function rankInMemory(code: CodeIndex, query: Partial<ContextQuery>): Promise<Ranking> {
  const ranker = { index: createMemoryChunkIndex(), dense: null, reranker: null };
  const name = { repository: 'r', revision: 'v' };
  const { ranking } = await rankTree(
    ranker,
    { name, digests: new Map(Array.from(code.tokens.keys(), (file) => [file, ''])), code },
    { title: '', body: '', frames: [], symbols: [], ...query },
  );
  return ranking;
}
