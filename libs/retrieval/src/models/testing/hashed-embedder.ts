import { createHash } from 'node:crypto';
import type { ListingEmbedder } from './listing-embedder.js';
import { createListingEmbedder } from './listing-embedder.js';

const DIMENSIONS = 8;

/** An embedder for tests: the vector of a text comes from its hash. */
export function createHashedEmbedder(digest = 'hashed-8'): ListingEmbedder {
  return createListingEmbedder({ name: 'hashed', digest, dimensions: DIMENSIONS }, hashedVector);
}

/** Unit vector from the bytes of the text's SHA-256. */
function hashedVector(text: string): Float32Array {
  const row = Array.from(createHash('sha256').update(text).digest().subarray(0, DIMENSIONS), (byte) => byte - 127.5);
  const length = Math.hypot(...row);
  return Float32Array.from(row, (value) => value / length);
}
