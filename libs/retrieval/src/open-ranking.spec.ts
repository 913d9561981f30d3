import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChunkIndex } from '@reenact/domain';
import { createEmbeddedIndex } from './embedded/embedded-index.js';
import { openEmbeddingCache } from './models/embedding-cache.js';
import { createHashedEmbedder } from './models/testing/hashed-embedder.js';
import type { RankingLayer } from './open-ranking.js';
import { openRanking } from './open-ranking.js';
import { sampleChunks } from './testing/sample-chunks.js';

const CHUNKS = sampleChunks({ seed: 3, files: 4, chunksPerFile: 10, dimensions: null, pendingShare: 1 });
const request = {
  name: { repository: 'r', revision: 'v1' },
  chunks: { digests: new Map([['all', '']]), chunksOf: () => CHUNKS },
  tokens: ['w1', 'w2'],
  text: 'w1',
  limit: 10,
};

let folder = '';
let opened: string[] = [];
let published: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'open-ranking-'));
  opened = [];
  published = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function counted(): ChunkIndex {
  const index = createEmbeddedIndex({ directory: path.join(folder, 'search') });
  return {
    ...index,
    open: (name) => {
      opened.push(name.revision);
      return index.open(name);
    },
    publish: (name, chunks, options) => {
      published.push(name.revision);
      return index.publish(name, chunks, options);
    },
  };
}

async function withDense(work: (layer: RankingLayer) => Promise<void>): Promise<void> {
  const cache = openEmbeddingCache(path.join(folder, 'cache.sqlite'), { largestBytes: 1e9 });
  try {
    await work({ index: counted(), dense: { embedder: createHashedEmbedder(), cache } });
  } finally {
    cache.close();
  }
}

describe('openRanking', () => {
  it('publishes what is not there, and opens what is', async () => {
    const layer = { index: counted(), dense: null };
    for (let time = 0; time < 2; time++) {
      const { search, vector, embedded } = await openRanking(layer, request);
      expect([vector, embedded]).toEqual([null, 0]);
      expect((await search.search({ tokens: request.tokens, vector, limit: 5 })).chunks).toBe(CHUNKS.length);
      await search.close();
    }
    expect([opened, published]).toEqual([['v1', 'v1', 'v1'], ['v1']]);
  });

  it('reads the revision without vectors once, and that with vectors once', () =>
    withDense(async (layer) => {
      await (await openRanking(layer, request)).search.close();
      opened = [];
      const { search, vector, embedded } = await openRanking(layer, request);
      expect([opened, embedded, vector!.length]).toEqual([['v1', 'v1.hashed-8'], 0, 8]);
      expect((await search.search({ tokens: request.tokens, vector, limit: 5 })).pending).toBe(CHUNKS.length - 10);
    }));

  it('makes torn revisions anew, with and without vectors, and tells it', () =>
    withDense(async (layer) => {
      await openRanking(layer, request);
      for (const file of await readdir(path.join(folder, 'search'))) await writeFile(path.join(folder, 'search', file), 'torn');
      const notices: string[] = [];
      const { search, vector } = await openRanking(layer, request, { onNotice: (message) => notices.push(message) });
      expect((await search.search({ tokens: request.tokens, vector, limit: 5 })).pending).toBe(CHUNKS.length - 10);
      expect(notices.map((text) => text.endsWith('It is made anew.'))).toEqual([true, true]);
    }));

  it('takes no words alone where the embedder fails', () =>
    withDense(async ({ index, dense }) => {
      const embed = () => Promise.reject(new Error('away'));
      const failing = { index, dense: { cache: dense!.cache, embedder: { ...dense!.embedder, embed } } };
      await expect(openRanking(failing, request)).rejects.toThrow('away');
    }));
});
