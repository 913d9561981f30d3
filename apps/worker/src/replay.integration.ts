import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows } from '@reenact/temporal/worker';

/**
 * Histories of real runs, recorded by `workflows.integration.ts` with REENACT_RECORD_HISTORIES set. A change of the workflows
 * that would break runs under way fails here; it needs a patch, or new recordings with a word in the changelog.
 */
const histories = fileURLToPath(new URL('../../../workflows/reproduce/src/histories/', import.meta.url));
const workflowsPath = fileURLToPath(new URL('../../../workflows/reproduce/src/index.ts', import.meta.url));
const names = (await readdir(histories)).filter((name) => name.endsWith('.json')).sort();

describe('recorded histories', () => {
  let codePath: string;

  beforeAll(async () => {
    codePath = path.join(await mkdtemp(path.join(tmpdir(), 'reenact-replay-')), 'workflows.js');
    await bundleWorkflows(workflowsPath, codePath);
  });

  it('are there', () => {
    expect(names.length).toBeGreaterThanOrEqual(8);
  });

  it.each(names)('%s replays on the present code', async (name) => {
    const history = historyFromJSON(JSON.parse(await readFile(path.join(histories, name), 'utf8')));
    await Worker.runReplayHistory({ workflowBundle: { codePath } }, history, path.basename(name, '.json'));
  });
});
