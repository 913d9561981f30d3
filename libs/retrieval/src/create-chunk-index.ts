import type { ChunkIndex, SearchConfiguration } from '@reenact/domain';
import { createElasticsearchIndex } from './elasticsearch/elasticsearch-index.js';
import { clusterSettings } from './elasticsearch/settings.js';
import { createEmbeddedIndex } from './embedded/embedded-index.js';

/**
 * The chunk index that is configured: files below `directory`, or a cluster.
 * @throws AppError `config-invalid` where the cluster's settings cannot be used.
 */
export function createChunkIndex(search: SearchConfiguration, options: { directory: string }): ChunkIndex {
  return search.type === 'embedded' ? createEmbeddedIndex(options) : createElasticsearchIndex(clusterSettings(search));
}
