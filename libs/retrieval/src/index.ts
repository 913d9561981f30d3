export { createContextSource } from './context-source.js';
export type { ContextSourceOptions } from './context-source.js';
export { createEmbedder, createReranker, openSharedEmbeddings } from './models/create-models.js';
export { EMBEDDED_AT_MOST, embedBest } from './models/embed-best.js';
export type { EmbedBestOptions, EmbedProgress, EmbedRequest, Embedded } from './models/embed-best.js';
export type { CachedModel, EmbeddingCache } from './models/embedding-cache.js';
export { rerankFeatures, scoreFeatures } from './models/feature-reranker.js';
export type { RerankFeatures } from './models/feature-reranker.js';
