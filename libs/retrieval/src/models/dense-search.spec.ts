import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChunkIndex, Embedder, SearchHit, SearchableChunk } from '@reenact/domain';
import { angularSimilarity } from '../formula.js';
import { createMemoryChunkIndex } from '../testing/memory-chunk-index.js';
import { openDenseSearch } from './dense-search.js';
import type { DenseLayer, DenseRequest } from './dense-search.js';
import { openEmbeddingCache } from './embedding-cache.js';
import { createFeatureReranker } from './feature-reranker.js';
import { reportText, rerankHits } from './rerank-hits.js';
import { createHashedEmbedder } from './testing/hashed-embedder.js';

const NAME = { repository: 'r', revision: 'v1' };
const WORDS = ['loss', 'cuda', 'batch', 'memory', 'grad', 'model'];

function chunk(number: number): SearchableChunk {
  const words = WORDS.filter((_, place) => (number + 1) % (place + 2) === 0);
  const place = { id: `id${number}`, file: `f${number}.py`, kind: 'function' as const, name: `g${number}`, startLine: 1, endLine: 2 };
  return { ...place, text: `${words.join(' ')} # ${number}`, tokens: { text: words, name: [place.name], path: [] }, vector: null };
}

const CHUNKS = Array.from({ length: 60 }, (_, number) => chunk(number));
const request = { name: NAME, chunks: CHUNKS, tokens: ['loss', 'cuda'], text: 'the loss', limit: 10 };

let folder = '';
let published: string[] = [];
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'reenact-dense-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withLayer(embedder: Embedder, work: (layer: DenseLayer) => Promise<void>): Promise<void> {
  const memory = createMemoryChunkIndex();
  const index: ChunkIndex = {
    ...memory,
    publish: async (name, chunks, options) => {
      published.push(name.revision);
      await memory.publish(name, chunks, options);
    },
  };
  await index.publish(NAME, CHUNKS, { embedding: null });
  published = [];
  const cache = openEmbeddingCache(path.join(folder, 'cache.sqlite'), { largestBytes: 1e9 });
  try {
    await work({ index, embedder, cache });
  } finally {
    cache.close();
  }
}

async function openDense(layer: DenseLayer, changes: Partial<DenseRequest> = {}) {
  const lexical = await layer.index.open(NAME);
  return openDenseSearch(layer, { ...request, lexical: lexical!, ...changes });
}

describe('openDenseSearch', () => {
  it('embeds the best by words, those named first before them, and leaves the rest pending at the mean', async () => {
    const embedder = createHashedEmbedder();
    await withLayer(embedder, async (layer) => {
      const { search, vector, embedded, pending } = await openDense(layer, { first: ['id6', 'nowhere'] });
      expect([embedded, pending]).toEqual([10, 50]);
      expect(embedder.embedded[0]).toBe(CHUNKS[6]!.text);
      const answer = await search.search({ tokens: request.tokens, vector, limit: 60 });
      expect([answer.pending, answer.hits.length]).toEqual([50, 60]);
      const best = await search.search({ tokens: [], vector, limit: 60 });
      const [own] = await embedder.embed([CHUNKS[6]!.text], 'document');
      const cosine = own!.reduce((sum, value, place) => sum + value * vector[place]!, 0);
      expect(best.hits.find(({ id }) => id === 'id6')!.similarity).toBeCloseTo(angularSimilarity(cosine), 6);
      const waiting = best.hits.filter(({ similarity }) => similarity === null);
      expect(waiting).toHaveLength(50);
      for (const { score } of waiting) expect(score).toBeCloseTo(0.55 * best.meanSimilarity!, 6);
    });
  });

  it('neither embeds nor publishes a second time, and publishes again what has new vectors', async () => {
    const embedder = createHashedEmbedder();
    await withLayer(embedder, async (layer) => {
      await openDense(layer);
      embedder.embedded.length = 0;
      const again = await openDense(layer);
      expect([again.embedded, again.pending]).toEqual([0, 50]);
      expect(embedder.embedded).toEqual(['the loss']);
      expect(published).toEqual(['v1.hashed-8']);
      const more = await openDense(layer, { limit: 20 });
      expect([more.embedded, more.pending]).toEqual([10, 40]);
      expect(published).toEqual(['v1.hashed-8', 'v1.hashed-8']);
      expect((await layer.index.open(NAME)) !== null).toBe(true);
    });
  });

  it('embeds chunks without a word of the query too, where there is room', () =>
    withLayer(createHashedEmbedder(), async (layer) => {
      expect(await openDense(layer, { tokens: ['unheard'], limit: 1000 })).toMatchObject({ embedded: 60, pending: 0 });
    }));

  it('gives at most half of the vectors to those named first, of these to the best by words', () =>
    withLayer(createHashedEmbedder(), async (layer) => {
      const named = CHUNKS.filter(({ tokens }) => !tokens.text.includes('loss') || tokens.text.includes('cuda')).map(({ id }) => id);
      const { search, vector } = await openDense(layer, { first: named });
      const { hits } = await search.search({ tokens: request.tokens, vector, limit: 60 });
      const embedded = hits.filter(({ similarity }) => similarity !== null);
      const { hits: byWords } = await (await layer.index.open(NAME))!.search({ tokens: request.tokens, vector: null, limit: 60 });
      const best = byWords.map(({ id }) => id);
      expect(embedded.filter(({ id }) => named.includes(id)).map(({ id }) => id)).toEqual(
        expect.arrayContaining(best.filter((id) => named.includes(id)).slice(0, 5)),
      );
      expect(embedded.map(({ id }) => id)).toEqual(expect.arrayContaining(best.slice(0, 5)));
      expect(embedded).toHaveLength(10);
    }));
});

describe('rerankHits', () => {
  const hit = (number: number): SearchHit => {
    const { id, file, kind, name, startLine, endLine } = CHUNKS[number]!;
    return { id, file, kind, name, startLine, endLine, score: 1 - number / 100, lexical: 1, similarity: null };
  };

  it('orders the best twenty, and leaves the others behind them', async () => {
    const query = { title: '', errors: [], frames: [{ file: 'f19.py', function: 'g19', line: 1 }], symbols: ['g25'] };
    const hits = Array.from({ length: 30 }, (_, number) => hit(number));
    const ordered = await rerankHits(createFeatureReranker(), { query, hits, textOf: () => '' });
    expect(ordered[0]!.hit.id).toBe('id19');
    expect(ordered.slice(1).map((one) => one.hit.id)).toEqual([...hits.slice(0, 19), ...hits.slice(20)].map(({ id }) => id));
    expect(ordered.map(({ rerank }) => rerank === null)).toEqual(hits.map((_, place) => place >= 20));
  });
});

describe('reportText', () => {
  it('tells title, errors and names, the innermost function first', () => {
    const frames = [{ file: 'a', function: '<module>' }, { file: 'a', function: 'outer' }, { file: 'a', function: 'inner' }, { file: 'b' }];
    expect(reportText({ title: 'T', errors: ['e1', 'e2', 'e3', 'e4'], frames, symbols: ['S', 'inner'] })).toBe(
      'T\ne1\ne2\ne3\ninner outer S',
    );
    expect(reportText({ title: 'T', errors: [], frames: [], symbols: [] })).toBe('T');
  });
});
