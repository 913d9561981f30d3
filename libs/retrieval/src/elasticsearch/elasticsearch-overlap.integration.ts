import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createEmbeddedIndex } from '../embedded/embedded-index.js';
import { describeWithNode } from './testing/bed-for-tests.js';
import { measureOverlap } from './testing/measure-overlap.js';
import { sampleTree } from './testing/tree-chunks.js';

const STANDARD_LIBRARY = 'import sysconfig; print(sysconfig.get_path("stdlib"))';

describeWithNode('Elasticsearch beside the embedded engine', (bed) => {
  it('finds the same chunks of real code', async () => {
    const tree = execFileSync('python3', ['-I', '-c', STANDARD_LIBRARY], { encoding: 'utf8' }).trim();
    const sample = await sampleTree(tree, { dimensions: 384, queries: 200 });
    expect(sample.chunks.length).toBeGreaterThanOrEqual(15_000);
    expect(sample.queries).toHaveLength(200);
    const directory = await mkdtemp(path.join(tmpdir(), 'reenact-overlap-'));
    const index = bed.createIndex({ requestTimeoutSeconds: 300 });
    try {
      const overlap = await measureOverlap(sample, createEmbeddedIndex({ directory }), index);
      expect(overlap.hybrid, JSON.stringify(overlap)).toBeGreaterThanOrEqual(0.9);
      expect(overlap.lexical, JSON.stringify(overlap)).toBeGreaterThanOrEqual(0.9);
    } finally {
      await index.close();
      await rm(directory, { recursive: true });
    }
  }, 1_800_000);
});
