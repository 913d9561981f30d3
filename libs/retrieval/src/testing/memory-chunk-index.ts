import type { ChunkIndex, IndexName, SearchableChunk } from '@reenact/domain';
import { eachChunk } from '../filed-chunks.js';
import { referenceSearch } from './reference-search.js';

/** A chunk index in memory that reckons the formula chunk by chunk: slow and plain, for tests of what stands on the port. */
export function createMemoryChunkIndex(): ChunkIndex {
  const published = new Map<string, SearchableChunk[]>();
  const keyOf = ({ repository, revision }: IndexName): string => JSON.stringify([repository, revision]);
  return {
    kind: 'memory',
    async publish(name, chunks, { signal }) {
      signal?.throwIfAborted();
      const taken: SearchableChunk[] = [];
      for await (const chunk of eachChunk(chunks)) taken.push(chunk);
      published.set(keyOf(name), taken);
    },
    async open(name) {
      const chunks = published.get(keyOf(name));
      if (chunks === undefined) return null;
      return {
        async search(request, options) {
          options?.signal?.throwIfAborted();
          return referenceSearch(chunks, request);
        },
        async close() {},
      };
    },
    async remove(name) {
      published.delete(keyOf(name));
    },
  };
}
