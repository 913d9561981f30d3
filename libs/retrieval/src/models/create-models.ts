import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Embedder, Reranker } from '@reenact/domain';
import type { RetrievalModels } from '@reenact/domain/schemas';
import { openEmbeddingCache } from './embedding-cache.js';
import type { EmbeddingCache } from './embedding-cache.js';
import { createFeatureReranker } from './feature-reranker.js';
import { createOnnxEmbedder } from './onnx-embedder.js';
import type { OnnxModelSettings } from './onnx-embedder.js';
import { createOnnxReranker } from './onnx-reranker.js';
import { createOpenAiEmbedder } from './openai-embedder.js';

/** Threads where none are set: each holds the model in memory. */
const THREADS_AT_MOST = 4;
/** One request of `/embeddings`; a local server without an accelerator needs a while for 32 texts. */
const REQUEST_SECONDS = 120;

/** The configured embedder; null = none, the search is lexical. @throws AppError `config-invalid` where it cannot be opened. */
export async function createEmbedder(models: RetrievalModels): Promise<Embedder | null> {
  const { embedder } = models;
  switch (embedder.type) {
    case 'none':
      return null;
    case 'onnx':
      return createOnnxEmbedder(onnxSettings(embedder.directory, models));
    case 'openai':
      return createOpenAiEmbedder({ ...embedder, timeoutSeconds: REQUEST_SECONDS });
  }
}

/** The configured reranker. @throws AppError `config-invalid` where it cannot be opened. */
export async function createReranker(models: RetrievalModels): Promise<Reranker> {
  const { reranker } = models;
  return reranker.type === 'features' ? createFeatureReranker() : createOnnxReranker(onnxSettings(reranker.directory, models));
}

/**
 * The cache of vectors that all repositories of a state directory share.
 * @param report gets one sentence where a damaged cache was thrown away.
 */
export function openSharedEmbeddings(
  stateDirectory: string,
  { cacheMegabytes }: RetrievalModels,
  report: (message: string) => void,
): EmbeddingCache {
  return openEmbeddingCache(path.join(stateDirectory, 'embeddings.sqlite'), { largestBytes: cacheMegabytes * 1024 ** 2, report });
}

function onnxSettings(directory: string, { runtimeDirectory, threads }: RetrievalModels): OnnxModelSettings {
  return { directory, runtimeDirectory, threads: threads ?? Math.min(THREADS_AT_MOST, availableParallelism()) };
}
