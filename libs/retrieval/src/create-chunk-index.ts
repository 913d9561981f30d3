import type { ChunkIndex, SearchConfiguration } from '@reenact/domain';
import { createElasticsearchIndex } from './elasticsearch/elasticsearch-index.js';
import { clusterSettings } from './elasticsearch/settings.js';
import { createEmbeddedIndex } from './embedded/embedded-index.js';
import type { EmbeddedIndexOptions } from './embedded/embedded-index.js';

/**
 * The chunk index that is configured: files of the embedded engine, or a cluster.
 * @throws AppError `config-invalid` where the cluster's settings cannot be used.
 */
export function createChunkIndex(search: SearchConfiguration, options: EmbeddedIndexOptions): ChunkIndex {
  return search.type === 'embedded' ? createEmbeddedIndex(options) : createElasticsearchIndex(clusterSettings(search));
}
