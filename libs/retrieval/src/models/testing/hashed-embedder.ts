import { createHash } from 'node:crypto';
import type { Embedder } from '@reenact/domain';
import { runLimited } from '../run-limited.js';

const DIMENSIONS = 8;

/** An embedder for tests: the vector of a text comes from its hash. `embedded` lists every text that it was given. */
export interface HashedEmbedder extends Embedder {
  readonly embedded: string[];
}

export function createHashedEmbedder(digest = 'hashed-8'): HashedEmbedder {
  const embedded: string[] = [];
  return {
    name: 'hashed',
    digest,
    dimensions: DIMENSIONS,
    embedded,
    embed: (texts, _role, options = {}) =>
      runLimited(
        texts,
        async (text) => {
          embedded.push(text);
          return hashedVector(text);
        },
        { ...options, limit: 1 },
      ),
    close: async () => undefined,
  };
}

/** Unit vector from the bytes of the text's SHA-256. */
function hashedVector(text: string): Float32Array {
  const row = Array.from(createHash('sha256').update(text).digest().subarray(0, DIMENSIONS), (byte) => byte - 127.5);
  const length = Math.hypot(...row);
  return Float32Array.from(row, (value) => value / length);
}
