import type { CodeIndex } from '@reenact/code-index';
import type { ChunkKind } from '@reenact/domain';
import { tokenise } from '@reenact/code-index';
import type { Bm25Index } from './bm25.js';
import { buildBm25, normaliseScores, scoreBm25 } from './bm25.js';
import type { KnownFrame } from './frame-definitions.js';
import { findFrames } from './frame-definitions.js';
import type { ContextQuery } from './query.js';
import { queryTokens } from './query.js';

/** A tree ready for searching. */
export interface TreeIndex {
  code: CodeIndex;
  sparse: Bm25Index;
}

/** A ranked chunk: its place in `code.chunks`, and BM25 divided by the query's maximum. */
export interface Hit {
  chunk: number;
  score: number;
}

/** What a query finds in a tree; `hits` holds every chunk with a score, best first, ties in the order of the index. */
export interface Ranking {
  hits: Hit[];
  frames: KnownFrame[];
}

/** Runs and windows have no name of their own; their module's is in the path already. */
const NAMELESS = new Set<ChunkKind>(['run', 'window', 'cell']);

/** Builds the sparse index over every chunk. */
export function indexTree(code: CodeIndex): TreeIndex {
  const documents = code.chunks.map((chunk) => ({
    text: tokenise(chunk.text),
    name: NAMELESS.has(chunk.kind) ? [] : tokenise(chunk.name),
    path: tokenise(chunk.file),
  }));
  return { code, sparse: buildBm25(documents) };
}

/** Ranks all chunks of a tree. Signals of stack traces and symbols go into the query; there is no other bonus. */
export function rankChunks(tree: TreeIndex, query: ContextQuery): Ranking {
  const frames = findFrames(tree.code, query.frames);
  const tokens = queryTokens(
    query,
    frames.map((known) => known.frame),
  );
  const scores = normaliseScores(scoreBm25(tree.sparse, tokens));
  const hits = Array.from(scores, (score, chunk) => ({ chunk, score })).filter((hit) => hit.score > 0);
  hits.sort((left, right) => right.score - left.score || left.chunk - right.chunk);
  return { hits, frames };
}
