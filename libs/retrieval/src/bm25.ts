import { FIELD_WEIGHTS, inverseDocumentFrequency, lengthNorm, termScore } from './formula.js';

/** The tokens of a chunk, field by field. */
export interface Bm25Document {
  text: string[];
  name: string[];
  path: string[];
}

/** An index over all documents: postings of term `t` lie at `offsets[t]` to `offsets[t + 1]`. */
export interface Bm25Index {
  size: number;
  vocabulary: Map<string, number>;
  offsets: Uint32Array;
  documents: Uint32Array;
  frequencies: Uint32Array;
  /** k1 · (1 − b + b · length / average length), by document. */
  norms: Float64Array;
}

/** Indexes documents as one field each: text once, qualified name four times, path once. */
export function buildBm25(documents: Bm25Document[]): Bm25Index {
  const vocabulary = new Map<string, number>();
  const counted = documents.map((document) => countTerms(document, vocabulary));
  const offsets = new Uint32Array(vocabulary.size + 1);
  for (const { terms } of counted) for (const term of terms.keys()) offsets[term + 1] = at(offsets, term + 1) + 1;
  for (let term = 0; term < vocabulary.size; term++) offsets[term + 1] = at(offsets, term + 1) + at(offsets, term);
  const total = at(offsets, vocabulary.size);
  const index = { documents: new Uint32Array(total), frequencies: new Uint32Array(total) };
  const next = offsets.slice();
  counted.forEach(({ terms }, document) => {
    for (const [term, frequency] of terms) {
      const place = at(next, term);
      index.documents[place] = document;
      index.frequencies[place] = frequency;
      next[term] = place + 1;
    }
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const norms = Float64Array.from(counted, ({ length }) => lengthNorm(length, average));
  return { size: documents.length, vocabulary, offsets, ...index, norms };
}

function countTerms(document: Bm25Document, vocabulary: Map<string, number>): { terms: Map<number, number>; length: number } {
  const terms = new Map<number, number>();
  let length = 0;
  const add = (tokens: string[], weight: number): void => {
    for (const token of tokens) {
      const term = vocabulary.get(token) ?? vocabulary.size;
      if (term === vocabulary.size) vocabulary.set(token, term);
      terms.set(term, (terms.get(term) ?? 0) + weight);
    }
    length += tokens.length * weight;
  };
  add(document.text, FIELD_WEIGHTS.text);
  add(document.name, FIELD_WEIGHTS.name);
  add(document.path, FIELD_WEIGHTS.path);
  return { terms, length };
}

/**
 * Raw score of every document: the sum over query terms, with multiplicity, of idf · f · (k1 + 1) / (f + norm), where
 * idf = ln(1 + (N − n + 0.5) / (n + 0.5)) (retrieval.md, "The formula").
 */
export function scoreBm25(index: Bm25Index, query: string[]): Float64Array {
  const scores = new Float64Array(index.size);
  const multiplicity = new Map<number, number>();
  for (const token of query) {
    const term = index.vocabulary.get(token);
    if (term !== undefined) multiplicity.set(term, (multiplicity.get(term) ?? 0) + 1);
  }
  for (const [term, times] of multiplicity) {
    const start = at(index.offsets, term);
    const end = at(index.offsets, term + 1);
    const idf = inverseDocumentFrequency(index.size, end - start);
    for (let place = start; place < end; place++) {
      const document = at(index.documents, place);
      const frequency = at(index.frequencies, place);
      scores[document] = at(scores, document) + termScore(times, idf, frequency, at(index.norms, document));
    }
  }
  return scores;
}

/** Scores divided by the query's maximum over the whole index; all zero when nothing matches. */
export function normaliseScores(scores: Float64Array): Float64Array {
  const maximum = scores.reduce((left, right) => Math.max(left, right), 0);
  return maximum === 0 ? scores.slice() : scores.map((score) => score / maximum);
}

function at(numbers: Uint32Array | Float64Array, place: number): number {
  return numbers[place] ?? 0;
}
