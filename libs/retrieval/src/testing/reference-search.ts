import type { SearchableChunk, SearchAnswer, SearchHit, SearchRequest, TermScore } from '@reenact/domain';
import { passesFilter } from '../chunk-filter.js';
import { angularSimilarity, combineScore, FIELD_WEIGHTS, inverseDocumentFrequency, lengthNorm, termScore } from '../formula.js';

/**
 * The formula written out over every chunk, in double precision, without any index: what each engine's ranking is compared with.
 * Only for tests: its time is the product of chunks and query terms.
 */
export function referenceSearch(chunks: SearchableChunk[], request: SearchRequest): SearchAnswer {
  const counted = chunks.map((chunk) => ({ chunk, ...countTokens(chunk) }));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const holding = (term: string): number => counted.filter(({ frequencies }) => frequencies.has(term)).length;
  const query = [...Map.groupBy(request.tokens, (token) => token)].map(([term, same]) => ({ term, times: same.length }));
  const weighed = query.map((item) => ({ ...item, idf: inverseDocumentFrequency(chunks.length, holding(item.term)) }));
  const passing = counted
    .filter(({ chunk }) => passesFilter(chunk, request.filter))
    .map(({ chunk, frequencies, length }) => {
      const terms: TermScore[] = weighed.flatMap(({ term, times, idf }) => {
        const frequency = frequencies.get(term) ?? 0;
        const score = termScore(times, idf, frequency, lengthNorm(length, average));
        return frequency === 0 ? [] : [{ term, times, inverseDocumentFrequency: idf, frequency, score }];
      });
      return { chunk, terms, lexical: terms.reduce((sum, { score }) => sum + score, 0), similarity: similarityOf(chunk, request) };
    });
  const maximum = Math.max(0, ...passing.map(({ lexical }) => lexical));
  const similarities = passing.flatMap(({ similarity }) => similarity ?? []);
  const meanSimilarity = similarities.length === 0 ? null : similarities.reduce((sum, value) => sum + value, 0) / similarities.length;
  const hits = passing.map(({ chunk, terms, lexical, similarity }) => {
    const score = combineScore({ lexical, maximum, similarity: similarity ?? meanSimilarity }, request.alpha);
    return { ...placeOf(chunk), score, lexical, similarity, ...(request.explain === true ? { terms: sortTerms(terms) } : {}) };
  });
  const best = hits.filter(({ score }) => score > 0).sort(compareHits);
  const pending = passing.filter(({ chunk }) => chunk.vector === null).length;
  return { hits: best.slice(0, request.limit), maximum, meanSimilarity, chunks: passing.length, pending };
}

function countTokens({ tokens }: SearchableChunk): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const field of ['text', 'name', 'path'] as const) {
    for (const token of tokens[field]) frequencies.set(token, (frequencies.get(token) ?? 0) + FIELD_WEIGHTS[field]);
    length += tokens[field].length * FIELD_WEIGHTS[field];
  }
  return { frequencies, length };
}

function similarityOf({ vector }: SearchableChunk, { vector: query }: SearchRequest): number | null {
  if (vector === null || query === null) return null;
  return angularSimilarity(vector.reduce((sum, value, place) => sum + value * (query[place] ?? 0), 0));
}

function placeOf({ id, file, kind, name, startLine, endLine }: SearchableChunk): Omit<SearchHit, 'score' | 'lexical' | 'similarity'> {
  return { id, file, kind, name, startLine, endLine };
}

function sortTerms(terms: TermScore[]): TermScore[] {
  return terms.sort((left, right) => right.score - left.score || (left.term < right.term ? -1 : 1));
}

function compareHits(left: SearchHit, right: SearchHit): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.startLine - right.startLine || left.endLine - right.endLine;
}
