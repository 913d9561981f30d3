import type { Embedder } from '@reenact/domain';
import { runLimited } from '../run-limited.js';

/** An embedder for tests that knows what words mean: texts that hold words of one topic are alike. `embedded` lists what it was given. */
export interface TopicEmbedder extends Embedder {
  readonly embedded: string[];
}

/** What every text has in common, beside a topic's weight of 1. */
const COMMON = 0.1;

/** @param topics words of each topic, in lower case. */
export function createTopicEmbedder(topics: readonly (readonly string[])[]): TopicEmbedder {
  const embedded: string[] = [];
  return {
    name: 'topics',
    digest: `topics-${JSON.stringify(topics)}`.padEnd(16, '-'),
    dimensions: topics.length + 1,
    embedded,
    embed: (texts, _role, options = {}) =>
      runLimited(
        texts,
        async (text) => {
          embedded.push(text);
          return topicVector(text.toLowerCase(), topics);
        },
        { ...options, limit: 1 },
      ),
    close: async () => undefined,
  };
}

function topicVector(text: string, topics: readonly (readonly string[])[]): Float32Array {
  const row = [COMMON, ...topics.map((words) => (words.some((word) => text.includes(word)) ? 1 : 0))];
  const length = Math.hypot(...row);
  return Float32Array.from(row, (value) => value / length);
}
