import type { Embedder } from '@reenact/domain';
import { runLimited } from '../run-limited.js';

/** An embedder for tests. `embedded` lists every text that it was given. */
export interface ListingEmbedder extends Embedder {
  readonly embedded: string[];
}

/** @param vectorOf the unit vector of a text, of length `dimensions`. */
export function createListingEmbedder(
  described: Pick<Embedder, 'name' | 'digest' | 'dimensions'>,
  vectorOf: (text: string) => Float32Array,
): ListingEmbedder {
  const embedded: string[] = [];
  return {
    ...described,
    embedded,
    embed: (texts, _role, options = {}) =>
      runLimited(
        texts,
        async (text) => {
          embedded.push(text);
          return vectorOf(text);
        },
        { ...options, limit: 1 },
      ),
    close: async () => undefined,
  };
}
