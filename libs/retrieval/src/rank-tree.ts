import type { CodeIndex } from '@reenact/code-index';
import { searchableChunks } from '@reenact/code-index';
import type { ContextQuery, ContextRanking, FiledChunks, IndexName, Reranker, SearchAnswer, SearchHit } from '@reenact/domain';
import { lookupsOf } from './code-lookups.js';
import { combineScore } from './formula.js';
import type { KnownFrame } from './frame-definitions.js';
import { findFrames } from './frame-definitions.js';
import { reportText, rerankHits } from './models/rerank-hits.js';
import type { RankingLayer, RankingOptions } from './open-ranking.js';
import { openRanking } from './open-ranking.js';
import { queryTokens, shortQuery } from './query.js';

/** A ranked chunk. */
export interface Hit {
  /** Its place in `code.chunks`. */
  chunk: number;
  /** The formula's value. */
  score: number;
  /** How far its score lies above what a chunk has that nothing speaks for: 0 there, 1 at the best score. In a lexical search the score itself. */
  strength: number;
}

/** What a query finds in a tree; `hits` holds every chunk that something speaks for, best first, ties by file and line. */
export interface Ranking {
  hits: Hit[];
  frames: KnownFrame[];
}

/** A tree that is ranked: everything that is known about it, and under which name its chunks are published. */
export interface NamedTree {
  name: IndexName;
  /** By file what its chunks are known by: `FiledChunks.digests`. */
  digests: ReadonlyMap<string, string>;
  code: CodeIndex;
}

/** What ranks a tree for contexts. */
export interface TreeRanker extends RankingLayer {
  /** Null = the search's own order. */
  reranker: Reranker | null;
}

/** The tokens of a query over a tree, and the frames that the tree holds. */
export function treeQuery(code: CodeIndex, query: ContextQuery): { tokens: string[]; frames: KnownFrame[] } {
  const frames = findFrames(code, query.frames);
  const own = frames.map((known) => known.frame);
  return { tokens: queryTokens(query, own), frames };
}

/**
 * Ranks all chunks of a tree by the formula, with the models that are there. Signals of stack traces and symbols go into the query; there
 * is no other bonus. @throws AppError of engine and models; the signal's reason.
 */
export async function rankTree(
  ranker: TreeRanker,
  { name, digests, code }: NamedTree,
  query: ContextQuery,
  options: RankingOptions = {},
): Promise<{ ranking: Ranking; facts: ContextRanking }> {
  const { tokens, frames } = treeQuery(code, query);
  const short = shortQuery(query);
  const request = { name, chunks: filedChunks(code, digests), tokens, text: reportText(short), first: trainingChunks(code) };
  const opened = await openRanking(ranker, request, options);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const answer = await opened.search
    .search({ tokens, vector: opened.vector, limit: Math.max(1, code.chunks.length) }, signal)
    .finally(() => opened.search.close());
  const { places } = lookupsOf(code);
  const { reranker, dense } = ranker;
  const found = answer.hits.filter(({ score }) => score > unheardScore(answer));
  const textOf = ({ id }: SearchHit): string => code.chunks[places.get(id) ?? -1]?.text ?? '';
  const hits =
    reranker === null ? found : (await rerankHits(reranker, { query: short, hits: found, textOf }, signal)).map(({ hit }) => hit);
  return {
    ranking: { hits: hitsOf(answer, hits, places), frames },
    facts: {
      engine: ranker.index.kind,
      chunks: answer.chunks,
      embedder: dense === null ? null : { ...modelOf(dense.embedder), embedded: opened.embedded, pending: answer.pending },
      reranker: reranker === null ? null : modelOf(reranker),
    },
  };
}

function filedChunks(code: CodeIndex, digests: ReadonlyMap<string, string>): FiledChunks {
  const { chunks } = lookupsOf(code);
  return {
    digests,
    chunksOf(file) {
      const tokens = code.tokens.get(file);
      return tokens === undefined ? [] : searchableChunks({ chunks: chunks.get(file) ?? [], tokens });
    },
  };
}

/** What a chunk scores that holds no word of the query and has no vector: 0 in a lexical search. */
function unheardScore({ maximum, meanSimilarity }: SearchAnswer): number {
  return combineScore({ lexical: 0, maximum, similarity: meanSimilarity });
}

function hitsOf(answer: SearchAnswer, hits: SearchHit[], places: Map<string, number>): Hit[] {
  const least = unheardScore(answer);
  const span = (answer.hits[0]?.score ?? 0) - least;
  return hits.flatMap(({ id, score }) => {
    const chunk = places.get(id);
    return chunk === undefined ? [] : [{ chunk, score, strength: (score - least) / span }];
  });
}

/** Chunks of files that train, by file: those that contexts are built around. */
function trainingChunks({ chunks, loops }: CodeIndex): string[] {
  const files = new Set(loops.map(({ file }) => file));
  return chunks.filter(({ file }) => files.has(file)).map(({ id }) => id);
}

function modelOf({ name, digest }: { name: string; digest: string }): { name: string; digest: string } {
  return { name, digest };
}
