import type { RetrievalModels } from '@reenact/domain/schemas';
import { createEmbedder, createReranker, openSharedEmbeddings } from './create-models.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { Embedder, Reranker } from '@reenact/domain';

/** The models that rank a tree for contexts. */
export interface ContextModels {
  /** Null = words alone. */
  dense: { embedder: Embedder; cache: EmbeddingCache } | null;
  /** Null = the search's own order. */
  reranker: Reranker | null;
}

/** Lends models for a piece of work. @throws what opening them or the work throws. */
export type UseModels = <Result>(work: (models: ContextModels) => Promise<Result>) => Promise<Result>;

/**
 * The configured models for contexts: opened at the first use, shared by all that use them at the same time, closed after the last, since a
 * model holds much memory and the trials that follow need it. The feature reranker has no part in contexts (docs/models.md).
 * @param report gets one sentence where a damaged cache of vectors was thrown away.
 */
export function shareModels(models: RetrievalModels, stateDirectory: string, report: (message: string) => void): UseModels {
  return shareWhileUsed(async () => {
    const embedder = await createEmbedder(models);
    try {
      const reranker = models.reranker.type === 'features' ? null : await createReranker(models);
      const dense = embedder === null ? null : { embedder, cache: openSharedEmbeddings(stateDirectory, models, report) };
      return {
        value: { dense, reranker },
        async close() {
          dense?.cache.close();
          await dense?.embedder.close();
          await reranker?.close();
        },
      };
    } catch (error) {
      await embedder?.close();
      throw error;
    }
  });
}

/** Lends one thing to all that use it at the same time: opened by the first, closed after the last. */
export function shareWhileUsed<Value>(
  open: () => Promise<{ value: Value; close(): Promise<void> }>,
): <Result>(work: (value: Value) => Promise<Result>) => Promise<Result> {
  let opened: ReturnType<typeof open> | null = null;
  let users = 0;
  return async (work) => {
    users++;
    opened ??= open();
    const mine = opened;
    try {
      return await work((await mine).value);
    } finally {
      users--;
      if (users === 0) {
        opened = null;
        await mine.then(
          ({ close }) => close(),
          () => undefined,
        );
      }
    }
  };
}
