import { defineConfig } from 'vitest/config';

/** Specs run on sources: the custom condition lets every workspace import resolve to `src` without a build. */
const conditions = ['@reenact/source', 'node'];
const shared = { resolve: { conditions }, ssr: { resolve: { conditions } } };

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['{libs,apps,workflows,bench,tools}/**/*.spec.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'integration',
          include: ['{libs,apps,workflows,bench,tools}/**/*.integration.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
      {
        ...shared,
        test: {
          name: 'kubernetes',
          include: ['{libs,apps,workflows,bench,tools}/**/*.cluster.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          globalSetup: ['tools/test-beds/kubernetes/shared-cluster.mjs'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
