import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRetrievalModels } from '@reenact/domain/schemas';
import { shareModels, shareWhileUsed } from './share-models.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'share-models-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('shareWhileUsed', () => {
  it('opens once for all that use it at the same time, and closes after the last', async () => {
    const told: string[] = [];
    const use = shareWhileUsed(async () => {
      told.push('open');
      return { value: told, close: async () => void told.push('close') };
    });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = use(() => held);
    await use(async (value) => void value.push('work'));
    expect(told).toEqual(['open', 'work']);
    release();
    await first;
    expect(told).toEqual(['open', 'work', 'close']);
    await use(async () => undefined);
    expect(told).toEqual(['open', 'work', 'close', 'open', 'close']);
  });

  it('closes after work that fails, and tries again to open what did not open', async () => {
    const told: string[] = [];
    let isThere = false;
    const use = shareWhileUsed(async () => {
      if (!isThere) throw new Error('absent');
      return { value: null, close: async () => void told.push('close') };
    });
    await expect(use(async () => undefined)).rejects.toThrow('absent');
    isThere = true;
    await expect(use(() => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(told).toEqual(['close']);
  });
});

describe('shareModels', () => {
  const share = (variables: Record<string, string>) => shareModels(readRetrievalModels(variables).models!, folder, () => undefined);

  it('lends none where none is configured: the feature reranker is not for contexts', async () => {
    expect(await share({})(async (models) => models)).toEqual({ dense: null, reranker: null });
  });

  it('lends the configured embedder with the cache of the state directory', async () => {
    const variables = {
      EMBEDDER_TYPE: 'openai',
      EMBEDDER_BASE_URL: 'http://127.0.0.1:1/v1',
      EMBEDDER_MODEL: 'm',
      EMBEDDER_DIMENSIONS: '3',
    };
    const size = await share(variables)(async ({ dense }) => [dense?.embedder.name, dense?.cache.size().vectors]);
    expect(size).toEqual(['m', 0]);
  });

  it.each(['EMBEDDER', 'RERANKER'])('says what is missing of a model directory (%s)', async (part) => {
    const use = share({ [`${part}_TYPE`]: 'onnx', [`${part}_DIRECTORY`]: folder });
    await expect(use(async () => undefined)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(folder) as string,
    });
  });
});
