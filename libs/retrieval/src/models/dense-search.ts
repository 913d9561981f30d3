import type { ChunkIndex, ChunkSearch, Embedder, IndexName, SearchableChunk } from '@reenact/domain';
import { EMBEDDED_AT_MOST, embedBest } from './embed-best.js';
import type { EmbeddingCache } from './embedding-cache.js';
import { openPublished, openWhole } from '../open-published.js';
import type { RankingOptions } from '../open-ranking.js';

/** What lazily embedded search stands on. */
export interface DenseLayer {
  index: ChunkIndex;
  embedder: Embedder;
  cache: EmbeddingCache;
}

/** What is asked of a revision. */
export interface DenseRequest {
  /** The revision as it is published without vectors. */
  name: IndexName;
  /** The same, open. */
  lexical: ChunkSearch;
  /** All of its chunks. */
  chunks: readonly SearchableChunk[];
  /** Tokens of the query, whose best chunks are embedded before all others. */
  tokens: string[];
  /** The query in words, for the embedder. */
  text: string;
  /** Ids of chunks that are embedded before the best ones, whatever they rank; at most half of all that are embedded. */
  first?: Iterable<string>;
  /** How many chunks get a vector for this query; `EMBEDDED_AT_MOST` when not given. */
  limit?: number;
}

/** A revision with every vector that there is by now. */
export interface DenseSearch {
  search: ChunkSearch;
  /** Of the query. */
  vector: Float32Array;
  /** Texts that the model was asked for now; 0 where all were cached. */
  embedded: number;
  /** Chunks without a vector, which are reckoned with the mean of the others. */
  pending: number;
}

/**
 * Opens a revision for hybrid search: ranks by words, embeds the best chunks that have no vector yet, and publishes the revision
 * beside the lexical one, under a name that holds the model. What is published with the same vectors already is opened as it is.
 * @throws AppError of engine and embedder; the signal's reason.
 */
export async function openDenseSearch(layer: DenseLayer, request: DenseRequest, options: RankingOptions = {}): Promise<DenseSearch> {
  const { index, embedder } = layer;
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const limit = request.limit ?? EMBEDDED_AT_MOST;
  const { hits } = await request.lexical.search({ tokens: request.tokens, vector: null, limit }, signal);
  const best = embeddingOrder(
    request,
    hits.map(({ id }) => id),
    limit,
  );
  const texts = request.chunks.map(({ text }) => text);
  const { vectors, embedded, pending } = await embedBest(layer, { texts, best, limit }, options);
  const [vector] = await embedder.embed([request.text], 'query', signal);
  const { repository, revision } = request.name;
  const name = { repository, revision: `${revision}.${embedder.digest.slice(0, 16)}` };
  const known = await openWhole(index, name, options);
  if (known !== null) {
    const { pending: missing } = await known.search({ tokens: [], vector: vector!, limit: 1 }, signal);
    if (missing === pending) return { search: known, vector: vector!, embedded, pending };
    await known.close();
  }
  await index.publish(name, withVectors(request.chunks, vectors), { embedding: embedder.digest, ...signal });
  return { search: await openPublished(index, name), vector: vector!, embedded, pending };
}

/**
 * Places of chunks in the order in which they deserve a vector. Where few chunks share a word with the query, the others come too:
 * vectors are there to find what words do not.
 */
function embeddingOrder({ chunks, first = [] }: DenseRequest, byWords: string[], limit: number): Set<number> {
  const places = new Map(chunks.map(({ id }, place) => [id, place]));
  const wanted = new Set(first);
  const early = [...new Set([...byWords.filter((id) => wanted.has(id)), ...wanted])].slice(0, Math.floor(limit / 2));
  return new Set([...early, ...byWords, ...places.keys()].map((id) => places.get(id)).filter((place) => place !== undefined));
}

function* withVectors(chunks: readonly SearchableChunk[], vectors: readonly (Float32Array | null)[]): Generator<SearchableChunk> {
  for (const [place, chunk] of chunks.entries()) yield { ...chunk, vector: vectors[place] ?? null };
}
