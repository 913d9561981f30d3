import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchableChunk, SearchRequest } from '@reenact/domain';
import { seededDraws } from '@reenact/domain';
import { referenceSearch, sampleChunks, sampleWords, unitVector } from '../testing/index.js';
import { similarityAbove, similarityBelow, similarityNear } from './angular-table.js';
import { angularSimilarity } from '../formula.js';
import type { Generation } from './generation.js';
import { generationInMemory } from './generation.js';
import { createGenerationBuilder } from './generation-builder.js';
import { quantiseQuery, quantiseRow } from './quantise.js';
import { searchGeneration } from './search-generation.js';
import { exactCosine, scanCodes, scanError, scanRows } from './similarity-scan.js';

function generationOf(chunks: SearchableChunk[]): Generation {
  const builder = createGenerationBuilder();
  for (const chunk of chunks) builder.add(chunk);
  return generationInMemory(builder.finish());
}

/** Takes the true rows out of the searcher's sight, so that it has to scan the codes. */
function withoutRows(generation: Generation): Generation {
  return { ...generation, sections: { ...generation.sections, rows: new Float32Array() } };
}

const sample = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  files: fc.integer({ min: 1, max: 6 }),
  chunksPerFile: fc.integer({ min: 1, max: 40 }),
  dimensions: fc.constantFrom(3, 16, 17, 64, 384),
  pendingShare: fc.constantFrom(0, 0, 0.2),
});

describe('a search by words and vectors', () => {
  it('gives the reference’s twenty in its order, from codes as from true rows, for any alpha and limit', () => {
    fc.assert(
      fc.property(sample, fc.constantFrom(0.55, 0, 0.2, 1), fc.integer({ min: 0, max: 30 }), (options, alpha, limit) => {
        const chunks = sampleChunks(options);
        const random = seededDraws(options.seed + 1);
        const near = chunks[Math.floor(random() * chunks.length)]?.vector ?? undefined;
        const vector = unitVector(random, options.dimensions, near, 0.5);
        const request: SearchRequest = { tokens: sampleWords(random, 12), vector, limit, alpha };
        const generation = generationOf(chunks);
        const expected = referenceSearch(chunks, request);
        const ids = expected.hits.map(({ id }) => id);
        expect(searchGeneration(generation, request).hits.map(({ id }) => id)).toEqual(ids);
        // A mean out of codes is not exact, and with it the place of a chunk without a vector.
        if (expected.pending > 0) return;
        const answer = searchGeneration(withoutRows(generation), request);
        expect(answer.hits.map(({ id }) => id)).toEqual(ids);
        answer.hits.forEach((hit, place) => expect(hit.score).toBeCloseTo(expected.hits[place]?.score ?? -1, 12));
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a query of another length, and rows that do not fit their codes', () => {
    const chunks = sampleChunks({ seed: 3, files: 1, chunksPerFile: 5, dimensions: 16, pendingShare: 0 });
    const generation = generationOf(chunks);
    const request = { tokens: [], vector: unitVector(seededDraws(1), 17), limit: 3 };
    expect(() => searchGeneration(generation, request)).toThrow(expect.objectContaining({ code: 'config-invalid' }));
    const torn = { ...withoutRows(generation), readRow: () => new Float32Array(16) };
    const right = { ...request, vector: chunks[0]?.vector ?? null };
    expect(() => searchGeneration(torn, right)).toThrow(expect.objectContaining({ code: 'index-damaged' }));
  });

  it('reckons only few chunks anew', () => {
    const chunks = sampleChunks({ seed: 5, files: 20, chunksPerFile: 50, dimensions: 384, pendingShare: 0 });
    const generation = withoutRows(generationOf(chunks));
    let read = 0;
    const counting = { ...generation, readRow: (row: number) => (read++, generation.readRow(row)) };
    const random = seededDraws(6);
    searchGeneration(counting, { tokens: sampleWords(random, 20), vector: unitVector(random, 384), limit: 20 });
    expect(read).toBeGreaterThanOrEqual(20);
    expect(read).toBeLessThan(60);
  });
});

describe('the bounds of a scan', () => {
  it('hold the true cosine, from codes and from rows', () => {
    fc.assert(
      fc.property(sample, (options) => {
        const chunks = sampleChunks({ ...options, pendingShare: 0 });
        const generation = generationOf(chunks);
        const query = unitVector(seededDraws(options.seed + 2), options.dimensions, chunks[0]?.vector ?? undefined, 0.1);
        for (const make of [scanCodes, scanRows]) {
          const scan = make(generation, query);
          for (let row = 0; row < chunks.length; row++)
            expect(Math.abs(exactCosine(generation.readRow(row), query) - (scan.cosines[row] ?? 0))).toBeLessThanOrEqual(
              scanError(scan, row),
            );
        }
      }),
      { numRuns: 30 },
    );
  });

  it('measure how far codes are from a row, and keep sums of long rows below 2^31', () => {
    const row = unitVector(seededDraws(4), 100);
    const codes = new Int8Array(112);
    const { scale, error } = quantiseRow(row, codes);
    expect(Math.hypot(...row.map((value, place) => value - (codes[place] ?? 0) * scale))).toBeLessThanOrEqual(error);
    expect(quantiseRow(new Float32Array(16), codes)).toEqual({ scale: 0, error: 0 });
    for (const width of [16, 384, 1024, 4096]) {
      const { codes: asked } = quantiseQuery(new Float32Array(width).fill(1 / Math.sqrt(width)));
      expect(asked.reduce((sum, code) => sum + 127 * Math.abs(code), 0)).toBeLessThan(2 ** 31);
    }
  });

  it('lie around the arc cosine, and the middle one is near it', () => {
    fc.assert(
      fc.property(fc.double({ min: -1.01, max: 1.01, noNaN: true }), (cosine) => {
        const exact = angularSimilarity(cosine);
        expect(similarityBelow(cosine)).toBeLessThanOrEqual(exact);
        expect(similarityAbove(cosine)).toBeGreaterThanOrEqual(exact);
        expect(Math.abs(similarityNear(cosine) - exact)).toBeLessThan(3e-8);
      }),
    );
  });
});
