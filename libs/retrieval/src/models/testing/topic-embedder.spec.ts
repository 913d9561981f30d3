import { describe } from 'vitest';
import { embedderContract } from './embedder-contract.js';
import { createTopicEmbedder } from './topic-embedder.js';

describe('createTopicEmbedder', () => embedderContract(async () => createTopicEmbedder([['cuda', 'memory'], ['loss']])));
