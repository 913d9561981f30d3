import { expect, it } from 'vitest';
import type { Embedder } from '@reenact/domain';

const TEXTS = ['cuda memory error', 'loss: batch.', 'def loss', 'cuda memory error', '', 'é中 \u0000'];

/** What every embedder keeps to. */
export function embedderContract(open: () => Promise<Embedder>): void {
  async function withEmbedder(work: (embedder: Embedder) => Promise<void>): Promise<void> {
    const embedder = await open();
    try {
      await work(embedder);
    } finally {
      await embedder.close();
    }
  }

  it('gives one unit vector of its length for each text, in order', () =>
    withEmbedder(async (embedder) => {
      const vectors = await embedder.embed(TEXTS, 'document');
      expect(vectors).toHaveLength(TEXTS.length);
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }
      expect(vectors[3]).toEqual(vectors[0]);
      expect(vectors[1]).not.toEqual(vectors[0]);
    }));

  it('gives a text the same vector whatever stands beside it, and after it is opened again', async () => {
    let alone: Float32Array[] = [];
    await withEmbedder(async (embedder) => {
      for (const text of TEXTS) alone = [...alone, ...(await embedder.embed([text], 'document'))];
    });
    await withEmbedder(async (embedder) => expect(await embedder.embed(TEXTS, 'document')).toEqual(alone));
  });

  it('has nothing to do for no texts', () => withEmbedder(async (embedder) => expect(await embedder.embed([], 'query')).toEqual([])));

  it('tells how many are done', () =>
    withEmbedder(async (embedder) => {
      const told: number[] = [];
      await embedder.embed(TEXTS, 'document', { onProgress: (done) => told.push(done) });
      expect(told.at(-1)).toBe(TEXTS.length);
      expect(told).toEqual(told.toSorted((left, right) => left - right));
    }));

  it("ends with the signal's reason", () =>
    withEmbedder(async (embedder) => {
      const reason = new Error('enough');
      await expect(embedder.embed(TEXTS, 'document', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(await embedder.embed(['loss'], 'document')).toHaveLength(1);
    }));
}
