import { createHash } from 'node:crypto';
import type { Embedder } from '@reenact/domain';
import type { EmbeddingCache } from './embedding-cache.js';

/** Chunks that are embedded for one query (retrieval.md section 5.4: about 15 s of an int8 MiniLM, once). */
export const EMBEDDED_AT_MOST = 2_000;
/** Texts between two writes to the cache: what a kill loses at most. */
const BATCH = 32;

/** What is to be embedded. */
export interface EmbedRequest {
  /** All texts of an index. */
  texts: readonly string[];
  /** Places in `texts` that deserve a vector, the most important first; those beyond `limit` wait for another time. */
  best: Iterable<number>;
  /** How many of `best` get one; `EMBEDDED_AT_MOST` when not given. */
  limit?: number;
}

/** How far the embedding is. */
export interface EmbedProgress {
  /** Texts embedded now, of those that are neither cached nor the same as another. */
  done: number;
  total: number;
  /** Null before the first batch is done. */
  secondsLeft: number | null;
}

/** How it may be watched and ended. */
export interface EmbedBestOptions {
  signal?: AbortSignal;
  onProgress?: (progress: EmbedProgress) => void;
  /** Milliseconds, for the estimate. */
  now?: () => number;
}

/** Vectors of an index, as far as there are any. */
export interface Embedded {
  /** One for each text; null = pending: such a chunk is reckoned with the mean similarity, never with zero. */
  vectors: (Float32Array | null)[];
  /** Texts that the model was asked for now. */
  embedded: number;
  /** Texts without a vector. */
  pending: number;
}

/**
 * Lazy dense: takes every vector that the cache has, and embeds of the best texts those that it has not, each distinct text once.
 * Every batch is kept in the cache at once, so that an abort, an error or a kill loses one batch and the next call goes on.
 * @throws the signal's reason where it is aborted; the embedder's errors.
 */
export async function embedBest(
  { embedder, cache }: { embedder: Embedder; cache: EmbeddingCache },
  { texts, best, limit = EMBEDDED_AT_MOST }: EmbedRequest,
  options: EmbedBestOptions = {},
): Promise<Embedded> {
  const hashes = texts.map(hashText);
  const known = cache.get(embedder, [...new Set(hashes)]);
  const wanted = missingTexts(texts, hashes, { best, limit, known });
  const watch = startWatch(wanted.length, options);
  for (let from = 0; from < wanted.length; from += BATCH) {
    options.signal?.throwIfAborted();
    const batch = wanted.slice(from, from + BATCH);
    const vectors = await embedder.embed(
      batch.map(({ text }) => text),
      'document',
      options.signal === undefined ? {} : { signal: options.signal },
    );
    const made = new Map(batch.map(({ hash }, index) => [hash, vectors[index]!]));
    cache.put(embedder, made);
    for (const [hash, vector] of made) known.set(hash, vector);
    watch(from + batch.length);
  }
  const all = hashes.map((hash) => known.get(hash) ?? null);
  return { vectors: all, embedded: wanted.length, pending: all.filter((vector) => vector === null).length };
}

/** SHA-256 of a text, in hexadecimal: what the cache knows it by. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface Wanted {
  best: Iterable<number>;
  limit: number;
  known: ReadonlyMap<string, Float32Array>;
}

function missingTexts(texts: readonly string[], hashes: string[], { best, limit, known }: Wanted): { hash: string; text: string }[] {
  const missing = new Map<string, string>();
  for (const index of [...best].slice(0, limit)) {
    const hash = hashes[index];
    if (hash !== undefined && !known.has(hash)) missing.set(hash, texts[index]!);
  }
  return Array.from(missing, ([hash, text]) => ({ hash, text }));
}

function startWatch(total: number, { onProgress, now = () => performance.now() }: EmbedBestOptions): (done: number) => void {
  const start = now();
  if (total > 0) onProgress?.({ done: 0, total, secondsLeft: null });
  return (done) => onProgress?.({ done, total, secondsLeft: ((now() - start) / done / 1000) * (total - done) });
}
