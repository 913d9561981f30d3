import type { ListingEmbedder } from './listing-embedder.js';
import { createListingEmbedder } from './listing-embedder.js';

/** What every text has in common, beside a topic's weight of 1. */
const COMMON = 0.1;

/**
 * An embedder for tests that knows what words mean: texts that hold words of one topic are alike.
 * @param topics words of each topic, in lower case.
 */
export function createTopicEmbedder(topics: readonly (readonly string[])[]): ListingEmbedder {
  return createListingEmbedder(
    { name: 'topics', digest: `topics-${JSON.stringify(topics)}`.padEnd(16, '-'), dimensions: topics.length + 1 },
    (text) => topicVector(text.toLowerCase(), topics),
  );
}

function topicVector(text: string, topics: readonly (readonly string[])[]): Float32Array {
  const row = [COMMON, ...topics.map((words) => (words.some((word) => text.includes(word)) ? 1 : 0))];
  const length = Math.hypot(...row);
  return Float32Array.from(row, (value) => value / length);
}
