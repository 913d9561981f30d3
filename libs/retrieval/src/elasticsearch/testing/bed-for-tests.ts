import { afterAll, beforeAll, describe } from 'vitest';
import { Client } from '@elastic/elasticsearch';
import { createElasticsearchIndex } from '../elasticsearch-index.js';
import type { ElasticsearchIndex } from '../elasticsearch-index.js';
import type { ElasticsearchSettings } from '../settings.js';
import { readTestBedConfiguration } from './config.js';
import { missingPrerequisite } from './node-installation.js';
import { startTestNode } from './test-node.js';
import type { TestNode } from './test-node.js';

const INSTALL_PATIENCE_MILLISECONDS = 900_000;

/** What the tests of one file share. */
export interface Bed {
  /** The node that the tests started; null where `ES_URL` named another. */
  node(): TestNode | null;
  /** The server without the adapter between. */
  client(): Client;
  /** Begin of every index name of this file: names that go on from it are deleted too. */
  prefix: string;
  /** An index with names of this test file only, and few and short waits. */
  createIndex(settings?: Partial<ElasticsearchSettings>): ElasticsearchIndex;
}

/** Whether `ES_URL` names a node: tests that kill it are then left out. */
export const HAS_FOREIGN_NODE = readTestBedConfiguration().url !== null;

/**
 * Tests against a real node, started for the file or named by `ES_URL`. Where the machine cannot have one they are named as not
 * run; in CI they fail then. At the end all of their indices are deleted.
 */
export function describeWithNode(name: string, declare: (bed: Bed) => void): void {
  const configuration = readTestBedConfiguration();
  const lack = configuration.url === null ? missingPrerequisite(configuration) : null;
  const isLeftOut = lack !== null && !configuration.mustRun;
  describe.skipIf(isLeftOut)(isLeftOut ? `${name} (not run: ${lack})` : name, () => {
    let node: TestNode | null = null;
    let client: Client;
    const prefix = `reenact-test-${process.pid}-${Date.now().toString(36)}`;
    const settings = { prefix, retryWaitsMilliseconds: [50, 200] };
    const url = (): string => configuration.url ?? node?.url ?? '';
    const createIndex = (more: Partial<ElasticsearchSettings> = {}) => createElasticsearchIndex({ url: url(), ...settings, ...more });
    beforeAll(async () => {
      if (configuration.url === null) node = await startTestNode(configuration);
      client = new Client({ node: url() });
    }, INSTALL_PATIENCE_MILLISECONDS);
    afterAll(async () => {
      if (node === null && configuration.url !== null) {
        const index = createIndex({ idleDays: 0, graceSeconds: 0, tornAfterSeconds: 0 });
        await index.collect();
        await index.close();
      }
      await client?.close();
      await node?.stop();
    });
    declare({ node: () => node, client: () => client, createIndex, prefix });
  });
}
