import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeChunkIndex } from '../testing/index.js';
import { createEmbeddedIndex } from './embedded-index.js';
import type { ReadOptions } from './generation-file.js';

function underTest(reading: ReadOptions) {
  return async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'embedded-index-'));
    const keep = { generations: 1000, bytes: 2 ** 30 };
    return { index: createEmbeddedIndex({ directory, keep, reading }), close: () => rm(directory, { recursive: true, force: true }) };
  };
}

const EXACT = { overlap: 1, tolerance: 1e-6 };

describeChunkIndex('embedded', underTest({}), EXACT);
describeChunkIndex('embedded, its vectors left in the file', underTest({ rowsInMemoryBelow: 0 }), { overlap: 1, tolerance: 1e-3 });
describeChunkIndex('embedded, with the plain kernel', underTest({ kernel: 'plain' }), EXACT);
