import { describeChunkIndex } from './chunk-index-contract.js';
import { createMemoryChunkIndex } from './memory-chunk-index.js';

describeChunkIndex('memory', async () => ({ index: createMemoryChunkIndex(), close: async () => {} }), { overlap: 1, tolerance: 1e-9 });
