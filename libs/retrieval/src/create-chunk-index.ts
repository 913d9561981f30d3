import path from 'node:path';
import type { ChunkIndex, SearchConfiguration } from '@reenact/domain';
import { createElasticsearchIndex } from './elasticsearch/elasticsearch-index.js';
import { clusterSettings } from './elasticsearch/settings.js';
import { createEmbeddedIndex } from './embedded/embedded-index.js';
import type { KeepLimits } from './embedded/generation-folder.js';

/** Trees of a laptop change all day: a few states each are enough, and all of them are quickly made again. */
const KEEP: KeepLimits = { generations: 16, bytes: 2 * 1024 ** 3 };

/**
 * The chunk index that is configured, for commands and runs alike: files of the embedded engine below the state directory, or a cluster.
 * @throws AppError `config-invalid` where the cluster's settings cannot be used.
 */
export function createChunkIndex(search: SearchConfiguration, stateDirectory: string): ChunkIndex {
  if (search.type === 'elasticsearch') return createElasticsearchIndex(clusterSettings(search));
  return createEmbeddedIndex({ directory: path.join(stateDirectory, 'search'), keep: KEEP });
}
