import { afterAll, beforeAll, describe } from 'vitest';
import { describeChunkIndex } from '../testing/index.js';
import { createElasticsearchIndex } from './elasticsearch-index.js';
import { missingPrerequisite, readTestBedConfiguration, startTestNode } from './testing/index.js';
import type { TestNode } from './testing/index.js';

const bed = readTestBedConfiguration();
const lack = bed.url === null ? missingPrerequisite(bed) : null;
let node: TestNode | null = null;
let url = bed.url ?? '';

describe.skipIf(lack !== null && !bed.mustRun)(`Elasticsearch${lack === null ? '' : ` (not run: ${lack})`}`, () => {
  beforeAll(async () => {
    if (bed.url !== null) return;
    node = await startTestNode(bed);
    url = node.url;
  }, 600_000);
  afterAll(async () => node?.stop());

  describeChunkIndex(
    'Elasticsearch',
    async () => {
      const index = createElasticsearchIndex({ url, prefix: `reenact-test-${process.pid}` });
      return { index, close: () => index.close() };
    },
    { overlap: 0.9, tolerance: 0.08 },
  );
});
