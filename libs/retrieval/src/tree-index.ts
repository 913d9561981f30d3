import type { CodeIndex } from '@reenact/code-index';
import { searchableIndex } from '@reenact/code-index';
import type { Generation } from './embedded/generation.js';
import { generationInMemory } from './embedded/generation.js';
import { createGenerationBuilder } from './embedded/generation-builder.js';
import { largestScore, lexicalScores, queryTerms } from './embedded/lexical-scores.js';
import { rankLexically } from './embedded/rank-generation.js';
import type { KnownFrame } from './frame-definitions.js';
import { findFrames } from './frame-definitions.js';
import type { ContextQuery } from './query.js';
import { queryTokens } from './query.js';

/** A tree ready for searching. */
export interface TreeIndex {
  code: CodeIndex;
  /** The engine's arrays over every chunk, in memory. */
  generation: Generation;
  /** Place in `code.chunks` by the engine's number of a chunk. */
  order: number[];
}

/** A ranked chunk: its place in `code.chunks`, and BM25 divided by the query's maximum. */
export interface Hit {
  chunk: number;
  score: number;
}

/** What a query finds in a tree; `hits` holds every chunk with a score, best first, ties by file and line. */
export interface Ranking {
  hits: Hit[];
  frames: KnownFrame[];
}

/** Builds the engine's arrays over every chunk. */
export function indexTree(code: CodeIndex): TreeIndex {
  const builder = createGenerationBuilder();
  for (const chunk of searchableIndex(code)) builder.add(chunk);
  const built = builder.finish();
  return { code, generation: generationInMemory(built), order: built.order };
}

/** The tokens of a query over a tree, and the frames that the tree holds. */
export function treeQuery(code: CodeIndex, query: ContextQuery): { tokens: string[]; frames: KnownFrame[] } {
  const frames = findFrames(code, query.frames);
  const own = frames.map((known) => known.frame);
  return { tokens: queryTokens(query, own), frames };
}

/** Ranks all chunks of a tree. Signals of stack traces and symbols go into the query; there is no other bonus. */
export function rankChunks({ code, generation, order }: TreeIndex, query: ContextQuery): Ranking {
  const { tokens, frames } = treeQuery(code, query);
  const scores = lexicalScores(generation, queryTerms(generation, tokens));
  const maximum = largestScore(scores, null);
  const { best } = rankLexically({ generation, scores, maximum, mask: null, limit: scores.length });
  return { hits: best.map(({ chunk, score }) => ({ chunk: order[chunk] ?? 0, score })), frames };
}
