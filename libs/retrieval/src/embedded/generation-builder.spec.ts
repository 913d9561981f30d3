import { describe, expect, it } from 'vitest';
import type { SearchableChunk } from '@reenact/domain';
import { referenceSearch, sampleChunks } from '../testing/index.js';
import { generationInMemory } from './generation.js';
import { createGenerationBuilder } from './generation-builder.js';
import { searchGeneration } from './search-generation.js';
import { packText, unpackText } from './packed-text.js';
import { buildTermSlots, findTerm } from './term-table.js';

const [MODEL] = sampleChunks({ seed: 1, files: 1, chunksPerFile: 1, dimensions: 4, pendingShare: 0 });
function chunkWith(part: Partial<SearchableChunk>): SearchableChunk {
  if (MODEL === undefined) throw new Error('no sample');
  return { ...MODEL, ...part };
}

describe('a generation builder', () => {
  it('takes chunks in any order', () => {
    const chunks = sampleChunks({ seed: 2, files: 4, chunksPerFile: 12, dimensions: 16, pendingShare: 0.3 });
    const answers = [chunks, [...chunks].reverse()].map((list) => {
      const builder = createGenerationBuilder();
      for (const chunk of list) builder.add(chunk);
      return searchGeneration(generationInMemory(builder.finish()), { tokens: ['w1', 'w2'], vector: null, limit: 48 });
    });
    expect(answers[0]).toEqual(answers[1]);
  });

  it('counts a term beyond one byte exactly, in scores and in what explains them', () => {
    const many = Array.from({ length: 100_000 }, () => 'zero');
    const chunks = [254, 255, 256, 100_000].map((count, place) =>
      chunkWith({
        id: `${place}`.padStart(64, '0'),
        file: `${place}.py`,
        vector: null,
        tokens: { text: many.slice(0, count), name: [], path: [] },
      }),
    );
    const builder = createGenerationBuilder();
    for (const chunk of chunks) builder.add(chunk);
    const request = { tokens: ['zero'], vector: null, limit: 4, explain: true };
    expect(searchGeneration(generationInMemory(builder.finish()), request)).toEqual(referenceSearch(chunks, request));
  });

  it.each([
    ['an id that is no hash', { id: '../x' }, /no SHA-256/],
    ['a vector of another length', { vector: Float32Array.of(1, 0) }, /has 2 numbers, the others have 4/],
    ['a vector that is not of length 1', { vector: Float32Array.of(0.5, 0, 0, 0) }, /no unit vector/],
    ['a vector that holds no number', { vector: Float32Array.of(NaN, 0, 0, 1) }, /no unit vector/],
  ])('refuses %s', (_, part, message) => {
    const builder = createGenerationBuilder();
    builder.add(chunkWith({}));
    expect(() => builder.add(chunkWith(part))).toThrow(message);
  });
});

describe('the table of terms', () => {
  it('finds every term by its number, and no other', () => {
    const terms = ['', 'a', 'ab', 'ба', 'loss', '損失', ...Array.from({ length: 5000 }, (_, place) => `t${place}`)];
    const packed = packText(terms);
    const slots = buildTermSlots(packed);
    expect(terms.map((term) => findTerm(packed, slots, term))).toEqual(terms.map((_, place) => place));
    expect(['b', 'los', 'loss ', 't5000'].map((term) => findTerm(packed, slots, term))).toEqual([-1, -1, -1, -1]);
    expect(unpackText(packed, 5)).toBe('損失');
    expect(findTerm(packText([]), buildTermSlots(packText([])), 'a')).toBe(-1);
  });
});
