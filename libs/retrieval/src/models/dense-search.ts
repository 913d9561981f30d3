import { AppError } from '@reenact/domain';
import type { ChunkIndex, ChunkSearch, Embedder, IndexName, SearchableChunk } from '@reenact/domain';
import { EMBEDDED_AT_MOST, embedBest } from './embed-best.js';
import type { EmbedBestOptions } from './embed-best.js';
import type { EmbeddingCache } from './embedding-cache.js';

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
  /** All of its chunks. */
  chunks: readonly SearchableChunk[];
  /** Tokens of the query, whose best chunks are embedded before all others. */
  tokens: string[];
  /** The query in words, for the embedder. */
  text: string;
  /** Ids of chunks that are embedded before the best ones, whatever they rank: those of training loops. */
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
 * @throws AppError `internal` where the revision is not published; the embedder's errors; the signal's reason.
 */
export async function openDenseSearch(layer: DenseLayer, request: DenseRequest, options: EmbedBestOptions = {}): Promise<DenseSearch> {
  const { index, embedder } = layer;
  const places = new Map(request.chunks.map(({ id }, place) => [id, place]));
  // Where few chunks share a word with the query, the others are embedded too: vectors are there to find what words do not.
  const best = [...(request.first ?? []), ...(await bestByWords(index, request, options.signal)), ...places.keys()];
  const { vectors, embedded, pending } = await embedBest(
    layer,
    {
      texts: request.chunks.map(({ text }) => text),
      best: new Set(best.map((id) => places.get(id)).filter((place) => place !== undefined)),
      limit: request.limit ?? EMBEDDED_AT_MOST,
    },
    options,
  );
  const [vector] = await embedder.embed([request.text], 'query', signalOf(options.signal));
  const { repository, revision } = request.name;
  const name = { repository, revision: `${revision}.${embedder.digest.slice(0, 16)}` };
  const known = await index.open(name);
  if (known !== null) {
    const { pending: missing } = await known.search({ tokens: [], vector: vector!, limit: 1 }, signalOf(options.signal));
    if (missing === pending) return { search: known, vector: vector!, embedded, pending };
    await known.close();
  }
  await index.publish(name, withVectors(request.chunks, vectors), { embedding: embedder.digest, ...signalOf(options.signal) });
  const search = await index.open(name);
  if (search === null) throw missing(name);
  return { search, vector: vector!, embedded, pending };
}

async function bestByWords(index: ChunkIndex, { name, tokens, limit }: DenseRequest, signal: AbortSignal | undefined): Promise<string[]> {
  const search = await index.open(name);
  if (search === null) throw missing(name);
  try {
    const { hits } = await search.search({ tokens, vector: null, limit: limit ?? EMBEDDED_AT_MOST }, signalOf(signal));
    return hits.map(({ id }) => id);
  } finally {
    await search.close();
  }
}

function* withVectors(chunks: readonly SearchableChunk[], vectors: readonly (Float32Array | null)[]): Generator<SearchableChunk> {
  for (const [place, chunk] of chunks.entries()) yield { ...chunk, vector: vectors[place] ?? null };
}

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function missing({ repository, revision }: IndexName): AppError {
  return new AppError('internal', `Revision ${revision} of ${repository} is not in the search index.`, { hint: 'Index it first.' });
}
