import { describe } from 'vitest';
import { embedderContract } from './embedder-contract.js';
import { createHashedEmbedder } from './hashed-embedder.js';

describe('createHashedEmbedder', () => embedderContract(async () => createHashedEmbedder()));
