export { createContextSource } from './context-source.js';
export type { ContextSourceOptions } from './context-source.js';
export { createEmbeddedIndex } from './embedded/embedded-index.js';
export type { EmbeddedIndexOptions } from './embedded/embedded-index.js';
export type { KeepLimits } from './embedded/generation-folder.js';
export type { ContextQuery, QueryFrame } from './query.js';
export { searchableChunk } from './searchable-chunk.js';
export { treeQuery } from './tree-index.js';
