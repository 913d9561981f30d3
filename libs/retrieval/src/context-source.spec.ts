import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContextSource, Embedder, Reranker } from '@reenact/domain';
import { createContextSource } from './context-source.js';
import type { ContextSourceOptions } from './context-source.js';
import { createEmbeddedIndex } from './embedded/embedded-index.js';
import { openEmbeddingCache } from './models/embedding-cache.js';
import { createTopicEmbedder } from './models/testing/topic-embedder.js';

let tree = '';
let state = '';
const QUERY = { title: 'squeeze drops the batch dimension', body: 'in `decode`', frames: [], symbols: ['decode'] };

beforeEach(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'context-source-'));
  state = await mkdtemp(path.join(tmpdir(), 'context-state-'));
  await writeFile(path.join(tree, 'decode.py'), 'def decode(x):\n    return x.squeeze()\n');
  await writeFile(path.join(tree, 'config.yaml'), 'batch: 1\ndimension: 2\n');
});
afterEach(async () => {
  await rm(tree, { recursive: true, force: true });
  await rm(state, { recursive: true, force: true });
});

function create(options: Partial<ContextSourceOptions> = {}): ContextSource {
  return createContextSource({ openIndex: () => createEmbeddedIndex({ directory: path.join(state, 'search') }), ...options });
}

const at = (hash: string) => ({ directory: tree, hash });

describe('createContextSource', () => {
  it('answers from the tree by words, configuration as a role of its own, and says by what', async () => {
    const { contexts, ranking } = await create().retrieve(at('h1'), QUERY);
    expect(contexts[0]?.blocks.map((block) => [block.role, block.file])).toEqual([
      ['snippet', 'decode.py'],
      ['configuration', 'config.yaml'],
    ]);
    expect(ranking).toEqual({ engine: 'embedded', chunks: 2, embedder: null, reranker: null });
  });

  it('keeps an index by tree hash, and forgets the one used longest ago', async () => {
    const source = create({ cachedTrees: 1 });
    const before = await source.retrieve(at('h1'), QUERY);
    await writeFile(path.join(tree, 'decode.py'), 'changed = 1\n');
    expect(await source.retrieve(at('h1'), QUERY)).toEqual(before);
    await source.retrieve(at('h2'), QUERY);
    expect(await source.retrieve(at('h1'), QUERY)).not.toEqual(before);
  });

  it('parses what it parsed before no second time, nor gives other contexts for it', async () => {
    const directory = path.join(state, 'indexes');
    const first = await create({ directory }).retrieve(at('h1'), QUERY);
    const [file] = (await readdir(directory)).filter((name) => name.endsWith('.sqlite'));
    const records = () =>
      new DatabaseSync(path.join(directory, file ?? ''), { readOnly: true }).prepare('SELECT count(*) AS n FROM record').get();
    const before = records();
    expect(await create({ directory }).retrieve(at('h2'), QUERY)).toEqual(first);
    expect([before, records()]).toEqual([{ n: 2 }, { n: 2 }]);
  });
});

describe('createContextSource with models', () => {
  const TOPICS = [['exhausted', 'allocate'], ['squeeze']];
  const REPORT = { title: 'exhausted after an hour', body: '', frames: [], symbols: [] };

  async function withModels(
    models: { embedder?: Embedder; reranker?: Reranker },
    work: (source: ContextSource) => Promise<void>,
  ): Promise<void> {
    const cache = openEmbeddingCache(path.join(state, 'embeddings.sqlite'), { largestBytes: 1e9 });
    const { embedder, reranker = null } = models;
    const dense = embedder === undefined ? null : { embedder, cache };
    try {
      await work(create({ useModels: (use) => use({ dense, reranker }) }));
    } finally {
      cache.close();
    }
  }

  beforeEach(async () => {
    await writeFile(path.join(tree, 'pool.py'), 'def grow(pool):\n    pool.allocate(pool.size)\n');
    await writeFile(path.join(tree, 'hour.py'), 'def hour(time):\n    return time.hour\n');
  });

  it('finds what words do not, and says which model did and what it embedded', async () => {
    const byWords = await create().retrieve(at('h1'), REPORT);
    expect(byWords.contexts.flatMap(({ blocks }) => blocks.map(({ file }) => file))).not.toContain('pool.py');
    const embedder = createTopicEmbedder(TOPICS);
    await withModels({ embedder }, async (source) => {
      const doing: string[] = [];
      const { contexts, ranking } = await source.retrieve(at('h1'), REPORT, { onProgress: (text) => doing.push(text) });
      expect(contexts[0]?.blocks.map(({ file }) => file).sort()).toEqual(['hour.py', 'pool.py']);
      const model = { name: embedder.name, digest: embedder.digest };
      expect(ranking).toEqual({ engine: 'embedded', chunks: 4, embedder: { ...model, embedded: 4, pending: 0 }, reranker: null });
      expect(doing.filter((text) => text.startsWith('embedding')).at(-1)).toBe('embedding: 4 of 4 chunks, 0 s left');
      expect(doing[0]).toMatch(/^reading: \d of 4 files/);
      const again = await source.retrieve(at('h1'), REPORT);
      expect(again.contexts).toEqual(contexts);
      expect(again.ranking.embedder).toMatchObject({ embedded: 0, pending: 0 });
    });
  });

  it('lets a reranker order the best', async () => {
    const reranker: Reranker = {
      name: 'last letter',
      digest: 'd',
      rerank: async (_query, candidates) => candidates.map(({ file }) => (file === 'config.yaml' ? 1 : 0)),
      close: async () => undefined,
    };
    await withModels({ reranker }, async (source) => {
      const { contexts, ranking } = await source.retrieve(at('h1'), QUERY);
      expect(contexts[0]?.blocks[0]?.file).toBe('config.yaml');
      expect(ranking.reranker).toEqual({ name: 'last letter', digest: 'd' });
    });
  });

  it('gives up between batches when it is told to, and keeps what was embedded', async () => {
    const many = Array.from({ length: 100 }, (_, number) => `def f${number}(x):\n    return x + ${number}\n`).join('\n\n');
    await writeFile(path.join(tree, 'many.py'), many);
    const embedder = createTopicEmbedder(TOPICS);
    const stop = new AbortController();
    await withModels({ embedder }, async (source) => {
      const onProgress = (text: string): void => {
        if (/^embedding: 64 /.test(text)) stop.abort(new Error('enough'));
      };
      await expect(source.retrieve(at('h1'), REPORT, { signal: stop.signal, onProgress })).rejects.toThrow('enough');
      expect(embedder.embedded).toHaveLength(64);
      const { ranking } = await source.retrieve(at('h1'), REPORT);
      expect(ranking.embedder?.embedded).toBe(104 - 64);
    });
  });
});
