import type { TermScore } from '@reenact/domain';
import { inverseDocumentFrequency, termSaturation, termScore, termWeight } from '../formula.js';
import type { Generation } from './generation.js';
import { unpackText } from './packed-text.js';
import { MANY } from './sections.js';
import { findTerm } from './term-table.js';

/** A term of a query that some chunk holds. */
export interface QueryTerm {
  term: number;
  times: number;
  inverseDocumentFrequency: number;
  /** Where its postings begin and end. */
  start: number;
  end: number;
}

/** The known terms of a query in the order of their first appearance, each with how often it was asked. */
export function queryTerms({ sections, shape }: Generation, tokens: string[]): QueryTerm[] {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const terms: QueryTerm[] = [];
  for (const [token, times] of counts) {
    const term = findTerm({ offsets: sections.termOffsets, bytes: sections.termBytes }, sections.termSlots, token);
    if (term < 0) continue;
    const start = sections.postingStarts[term] ?? 0;
    const end = sections.postingStarts[term + 1] ?? 0;
    terms.push({ term, times, inverseDocumentFrequency: inverseDocumentFrequency(shape.chunks, end - start), start, end });
  }
  return terms;
}

/** Raw BM25 of every chunk, term by term: one pass over the postings, sums in double precision and in the order of the terms. */
export function lexicalScores(generation: Generation, terms: QueryTerm[]): Float64Array {
  const scores = new Float64Array(generation.shape.chunks);
  for (const term of terms) addTerm(scores, generation, term);
  return scores;
}

function addTerm(scores: Float64Array, generation: Generation, term: QueryTerm): void {
  const { postingChunks } = generation.sections;
  const { values, isReckoned } = generation.saturations;
  if (isReckoned[term.term] !== 1) reckonSaturations(generation, term);
  const { start, end } = term;
  const weight = termWeight(term.times, term.inverseDocumentFrequency);
  for (let posting = start; posting < end; posting++) {
    const chunk = postingChunks[posting] ?? 0;
    scores[chunk] = (scores[chunk] ?? 0) + weight * (values[posting] ?? 0);
  }
}

function reckonSaturations({ sections, norms, manyTimes, saturations }: Generation, { term, start, end }: QueryTerm): void {
  for (let posting = start; posting < end; posting++) {
    const stored = sections.postingTimes[posting] ?? 0;
    const times = stored === MANY ? (manyTimes.get(posting) ?? stored) : stored;
    saturations.values[posting] = termSaturation(times, norms[sections.postingChunks[posting] ?? 0] ?? 1);
  }
  saturations.isReckoned[term] = 1;
}

/** The largest score among the chunks of a mask (all without one); 0 where there is none. */
export function largestScore(scores: Float64Array, mask: Uint8Array | null): number {
  let largest = 0;
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const score = scores[chunk] ?? 0;
    if (score > largest && (mask === null || mask[chunk] === 1)) largest = score;
  }
  return largest;
}

/** What each term gives to a chunk's raw score, the weightiest first. */
export function explainChunk(generation: Generation, terms: QueryTerm[], chunk: number): TermScore[] {
  const { sections, norms, manyTimes } = generation;
  const found = terms.flatMap((item) => {
    const posting = findPosting(sections.postingChunks, item, chunk);
    if (posting < 0) return [];
    const frequency = manyTimes.get(posting) ?? sections.postingTimes[posting] ?? 0;
    const { times, inverseDocumentFrequency: idf } = item;
    const term = unpackText({ offsets: sections.termOffsets, bytes: sections.termBytes }, item.term);
    return [{ term, times, inverseDocumentFrequency: idf, frequency, score: termScore(times, idf, frequency, norms[chunk] ?? 1) }];
  });
  return found.sort((left, right) => right.score - left.score || (left.term < right.term ? -1 : 1));
}

function findPosting(postingChunks: Uint32Array, { start, end }: QueryTerm, chunk: number): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postingChunks[middle] ?? 0) < chunk) low = middle + 1;
    else high = middle;
  }
  return low < end && postingChunks[low] === chunk ? low : -1;
}
