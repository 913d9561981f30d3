import type { ModelOptions, RerankQuery, Reranker, SearchHit } from '@reenact/domain';

/** Hits that a reranker looks at (method.md section 1.6). */
export const RERANKED = 20;

/** A hit with the score that the reranker gave it; null beyond those that it looked at. */
export interface RerankedHit {
  hit: SearchHit;
  rerank: number | null;
}

/** What is ordered anew. */
export interface RerankRequest {
  query: RerankQuery;
  /** Best first. */
  hits: readonly SearchHit[];
  textOf: (hit: SearchHit) => string;
}

/** Orders the best 20 hits by the reranker, ties as the search had them; the others follow as they were. */
export async function rerankHits(
  reranker: Reranker,
  { query, hits, textOf }: RerankRequest,
  options: ModelOptions = {},
): Promise<RerankedHit[]> {
  const looked = hits.slice(0, RERANKED);
  const scores = await reranker.rerank(
    query,
    looked.map((hit) => ({ ...hit, text: textOf(hit) })),
    options,
  );
  const ordered = looked.map((hit, place) => ({ hit, rerank: scores[place] ?? null }));
  ordered.sort((left, right) => (right.rerank ?? 0) - (left.rerank ?? 0));
  return [...ordered, ...hits.slice(RERANKED).map((hit) => ({ hit, rerank: null }))];
}

/** Lines of a report's errors that an embedder reads. */
const ERRORS_READ = 3;

/** What an embedder is told about a report: title, errors, functions of the frames, symbols. Encoders cut it at their length. */
export function reportText({ title, errors, frames, symbols }: RerankQuery): string {
  const functions = frames.flatMap((frame) => (frame.function === undefined || /^[<(]/.test(frame.function) ? [] : [frame.function]));
  const names = [...new Set([...functions.toReversed(), ...symbols])];
  return [title, ...errors.slice(0, ERRORS_READ), names.join(' ')].filter((line) => line !== '').join('\n');
}
