/** Share of the similarity in the score (method.md section 1.5: tuned to 0.55). */
export const DEFAULT_ALPHA = 0.55;
/** Saturation and length normalisation of BM25 (retrieval.md, "The formula"). */
export const K1 = 1.5;
export const B = 0.75;
/** How often a token of each field counts; a chunk is indexed as one field (retrieval.md, "The formula"). */
export const FIELD_WEIGHTS = { text: 1, name: 4, path: 1 } as const;

/** idf = ln(1 + (N − n + 0.5) / (n + 0.5)) for a term that `holding` of `size` chunks hold. */
export function inverseDocumentFrequency(size: number, holding: number): number {
  return Math.log(1 + (size - holding + 0.5) / (holding + 0.5));
}

/** k1 · (1 − b + b · length / average length) of a chunk; lengths in tokens, fields weighted, over the whole index. */
export function lengthNorm(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / Math.max(1, averageLength));
}

/** What a term of the query weighs, `times` in it: times · idf · (k1 + 1). */
export function termWeight(times: number, idf: number): number {
  return times * idf * (K1 + 1);
}

/** What of a term's weight a chunk gets that holds it `frequency` times: f / (f + norm), below 1. */
export function termSaturation(frequency: number, norm: number): number {
  return frequency / (frequency + norm);
}

/** What one term of the query, `times` in it and `frequency` times in the chunk, adds to the raw score. */
export function termScore(times: number, idf: number, frequency: number, norm: number): number {
  return termWeight(times, idf) * termSaturation(frequency, norm);
}

/** Bounded angular similarity 1 − acos(cos)/π of two unit vectors, from 0 (opposite) over 0.5 (orthogonal) to 1 (equal). */
export function angularSimilarity(cosine: number): number {
  return 1 - Math.acos(Math.min(1, Math.max(-1, cosine))) / Math.PI;
}

/** What the score of a chunk is made of. */
export interface ScoreParts {
  /** Raw BM25 of the chunk, and the largest of any chunk that passes the filter. */
  lexical: number;
  maximum: number;
  /** Angular similarity of chunk and query, or the mean of the chunks that have a vector; null in a lexical search. */
  similarity: number | null;
}

/** (1 − α) · BM25 / maximum + α · similarity; BM25 / maximum alone in a lexical search. The one formula of all engines. */
export function combineScore({ lexical, maximum, similarity }: ScoreParts, alpha: number = DEFAULT_ALPHA): number {
  const share = maximum > 0 ? lexical / maximum : 0;
  return similarity === null ? share : (1 - alpha) * share + alpha * similarity;
}
