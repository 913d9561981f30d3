export { describeChunkIndex } from './chunk-index-contract.js';
export type { ContractOptions, IndexUnderTest } from './chunk-index-contract.js';
export { createMemoryChunkIndex } from './memory-chunk-index.js';
export { createRandom, normalNumber, unitVector } from './random-numbers.js';
export { referenceSearch } from './reference-search.js';
export { sampleChunks, sampleWords } from './sample-chunks.js';
export type { SampleOptions } from './sample-chunks.js';
