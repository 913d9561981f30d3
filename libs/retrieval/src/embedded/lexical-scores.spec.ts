import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchableChunk } from '@reenact/domain';
import { generationInMemory } from './generation.js';
import { createGenerationBuilder } from './generation-builder.js';
import { explainChunk, largestScore, lexicalScores, queryTerms } from './lexical-scores.js';

type Tokens = SearchableChunk['tokens'];

function text(words: string): Tokens {
  return { text: words.split(' ').filter(Boolean), name: [], path: [] };
}

/** Scores of chunks that stand one below the other in one file. */
function scoresOf(corpus: Tokens[], query: string[]): number[] {
  const builder = createGenerationBuilder();
  corpus.forEach((tokens, line) =>
    builder.add({
      id: '0'.repeat(64),
      file: 'a.py',
      kind: 'function',
      name: '',
      startLine: line + 1,
      endLine: line + 1,
      text: '',
      tokens,
      vector: null,
    }),
  );
  const generation = generationInMemory(builder.finish());
  const terms = queryTerms(generation, query);
  const scores = Array.from(lexicalScores(generation, terms));
  scores.forEach((score, chunk) => {
    const parts = explainChunk(generation, terms, chunk);
    expect(parts.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 12);
  });
  return scores;
}

const CORPUS = ['loss nan loss', 'loss falls', 'rank hangs at barrier', 'shape error', 'nan nan nan nan'].map(text);

describe('BM25 of the engine', () => {
  // By hand: lengths 3, 2, 4, 2, 4, mean 3, so k1·(1 − b + b·len/mean) is 1.5, 1.125, 1.875, 1.125, 1.875.
  // `loss` and `nan` are each in 2 of 5 documents: idf = ln(1 + 3.5/2.5) = ln 2.4.
  it('gives the scores computed by hand on five documents', () => {
    const idf = Math.log(2.4);
    const scores = scoresOf(CORPUS, ['loss', 'nan', 'unknown']);
    expect(scores[0]).toBeCloseTo(idf * ((2 * 2.5) / (2 + 1.5) + (1 * 2.5) / (1 + 1.5)), 12);
    expect(scores[1]).toBeCloseTo((idf * 2.5) / 2.125, 12);
    expect(scores[2]).toBe(0);
    expect(scores[3]).toBe(0);
    expect(scores[4]).toBeCloseTo((idf * 4 * 2.5) / (4 + 1.875), 12);
    expect(scores[0]).toBeCloseTo(2.126138, 6);
  });

  it('counts a query term as often as it is asked', () => {
    const once = scoresOf(CORPUS, ['nan']);
    expect(scoresOf(CORPUS, ['nan', 'nan', 'nan'])).toEqual(once.map((score) => expect.closeTo(3 * score, 12)));
  });

  it('weighs the name four times and the path once, in the length too', () => {
    const [named, plain] = [{ text: ['a'], name: ['b'], path: ['c'] }, text('a b b b b c')];
    const [first, second] = scoresOf([named, plain], ['a', 'b', 'c']);
    expect(first).toBe(second);
    expect(first).toBeGreaterThan(0);
  });

  it('takes the maximum among the chunks of a mask, and survives an empty index and an empty query', () => {
    const scores = Float64Array.of(1, 4, 2);
    expect([largestScore(scores, null), largestScore(scores, Uint8Array.of(1, 0, 1)), largestScore(scores, new Uint8Array(3))]).toEqual([
      4, 2, 0,
    ]);
    expect(scoresOf([], ['a'])).toEqual([]);
    expect(scoresOf([text('')], [])).toEqual([0]);
  });

  it('agrees with the formula written out for any corpus', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), words, (corpus, query) => {
        const mean = Math.max(1, corpus.reduce((sum, tokens) => sum + tokens.length, 0) / corpus.length);
        const scores = scoresOf(
          corpus.map((tokens) => ({ text: tokens, name: [], path: [] })),
          query,
        );
        corpus.forEach((tokens, place) => {
          const expected = query.reduce((sum, term) => {
            const holding = corpus.filter((other) => other.includes(term)).length;
            const frequency = tokens.filter((token) => token === term).length;
            const idf = Math.log(1 + (corpus.length - holding + 0.5) / (holding + 0.5));
            return frequency === 0 ? sum : sum + (idf * frequency * 2.5) / (frequency + 1.5 * (0.25 + (0.75 * tokens.length) / mean));
          }, 0);
          expect(scores[place]).toBeCloseTo(expected, 9);
        });
      }),
    );
  });
});
