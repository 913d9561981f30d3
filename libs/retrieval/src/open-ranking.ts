import type { ChunkIndex, ChunkSearch, Embedder, FiledChunks, IndexName } from '@reenact/domain';
import { allChunks } from './filed-chunks.js';
import { openDenseSearch } from './models/dense-search.js';
import type { EmbedBestOptions } from './models/embed-best.js';
import type { EmbeddingCache } from './models/embedding-cache.js';
import { openPublished, openWhole } from './open-published.js';
import type { Notified } from './open-published.js';

/** What ranks chunks: an engine, and beside it the embedder that is configured, if there is one. */
export interface RankingLayer {
  index: ChunkIndex;
  /** Null = words alone. */
  dense: { embedder: Embedder; cache: EmbeddingCache } | null;
}

/** Which chunks are ranked, and what they are asked. */
export interface RankingRequest {
  /** Equal name, equal chunks. */
  name: IndexName;
  /** All chunks; read where they must be published. */
  chunks: FiledChunks;
  /** Tokens of the query. */
  tokens: string[];
  /** The query in words, for the embedder. */
  text: string;
  /** Ids of chunks that get a vector before others, whatever they rank; at most half of those that are embedded. */
  first?: Iterable<string>;
  /** How many chunks get a vector for this query; `EMBEDDED_AT_MOST` when not given. */
  limit?: number;
}

/** How it is watched and ended. */
export type RankingOptions = EmbedBestOptions & Notified;

/** Chunks that can be ranked. */
export interface OpenedRanking {
  search: ChunkSearch;
  /** Of the query; null where words alone rank. */
  vector: Float32Array | null;
  /** Texts that the embedder was asked for now. */
  embedded: number;
}

/**
 * Opens chunks for one query, for `search` and runs alike: publishes them where they are not, and with an embedder gives those that rank
 * best by words a vector first. A revision that was published before is opened as it is. @throws AppError of engine and embedder: where
 * one is configured, words alone are never taken instead; the signal's reason.
 */
export async function openRanking(
  { index, dense }: RankingLayer,
  request: RankingRequest,
  options: RankingOptions = {},
): Promise<OpenedRanking> {
  const lexical = await openOrPublish(index, request, options);
  if (dense === null) return { search: lexical, vector: null, embedded: 0 };
  try {
    return await openDenseSearch({ index, ...dense }, { ...request, chunks: [...allChunks(request.chunks)], lexical }, options);
  } finally {
    await lexical.close();
  }
}

async function openOrPublish(index: ChunkIndex, { name, chunks }: RankingRequest, options: RankingOptions): Promise<ChunkSearch> {
  const known = await openWhole(index, name, options);
  if (known !== null) return known;
  const { signal } = options;
  await index.publish(name, chunks, { embedding: null, ...(signal === undefined ? {} : { signal }) });
  return openPublished(index, name);
}
