import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUEUES, WORKFLOW_TYPES } from '@reenact/domain';
import type { BisectRequest, JudgeRequest, MinimiseRequest, ReplayRequest, ReproduceRequest, RunRequest } from '@reenact/domain';
import { connectTemporal, toAppError } from '@reenact/temporal/client';
import { ensureTemporalServer, stopTemporalServer } from '@reenact/temporal/server';
import type { TemporalServer } from '@reenact/temporal/server';
import { bundleWorkflows, startWorkerHost } from '@reenact/temporal/worker';
import { recordHistory } from './testing/record-history.js';
import { PLAIN_SCRIPT, scriptedActivities } from './testing/scripted-activities.js';
import type { Asked, Script } from './testing/scripted-activities.js';

const workflowsPath = fileURLToPath(new URL('../../../workflows/reproduce/src/index.ts', import.meta.url));
let stateDirectory: string;
let server: TemporalServer;
let codePath: string;
let client: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  stateDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-workflows-'));
  codePath = path.join(stateDirectory, 'workflows.js');
  await bundleWorkflows(workflowsPath, codePath);
  server = await ensureTemporalServer({
    stateDirectory,
    namespace: 'default',
    searchPath: process.env['PATH'] ?? '',
    cliPath: process.env['TEMPORAL_CLI'],
    report: () => undefined,
  });
  const connected = await connectTemporal({ address: server.address, namespace: 'default' });
  client = connected.client;
  close = () => connected.close();
}, 300_000);

afterAll(async () => {
  await close();
  await stopTemporalServer(stateDirectory);
});

let number = 0;

/** Runs a scenario with a worker of its own, then replays its history: what was recorded must still be what the code does. */
async function scenario<T>(
  script: Partial<Script>,
  run: (ids: { workflowId: string }, asked: Asked) => Promise<T>,
): Promise<{ result: T; asked: Asked }> {
  const { asked, activities } = scriptedActivities({ ...PLAIN_SCRIPT, ...script });
  const host = await startWorkerHost({
    connection: { address: server.address, namespace: 'default' },
    queues: Object.values(QUEUES),
    activities,
    workflows: { type: 'bundle', codePath },
    logger: () => undefined,
  });
  const workflowId = `scenario-${(number += 1)}`;
  try {
    const result = await run({ workflowId }, asked);
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: { codePath } }, history, workflowId);
    await recordHistory(process.env['REENACT_RECORD_HISTORIES'], workflowId, history);
    return { result, asked };
  } finally {
    await host.stop();
  }
}

function shared(workflowId: string): RunRequest {
  return {
    schemaVersion: 1,
    runId: workflowId,
    title: 'a report',
    report: 'report',
    subject: { type: 'folder', path: '/subject' },
    treeHash: 't',
    fixed: { type: 'patch', patch: 'p' },
    fixedTreeHash: null,
    controlPython: null,
    python: null,
    requirements: [],
    goodRequirements: [],
    limits: {},
    allowUnsandboxed: false,
    model: { enabled: true, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 5 }, record: null, replay: null },
    series: workflowId,
  };
}

function reproduce(workflowId: string, change: Partial<ReproduceRequest> = {}) {
  const request: ReproduceRequest = { ...shared(workflowId), kind: 'reproduce', ...change };
  return client.workflow.start(WORKFLOW_TYPES.reproduce, { workflowId, taskQueue: QUEUES.workflows, args: [request] });
}

const executed = async (handle: { result(): Promise<unknown> }): Promise<unknown> => handle.result();

describe('reproduceBugWorkflow', () => {
  it('tries equal candidates once, ends with the first that proves it, and builds the tripwire only then', async () => {
    const { result, asked } = await scenario({ portfolio: ['a', 'a', 'b', 'c'], verdicts: { b: 'reproduced' } }, async ({ workflowId }) =>
      executed(await reproduce(workflowId)),
    );
    expect(result).toMatchObject({ verdict: 'reproduced' });
    expect(asked.trials).toEqual(['a/candidate/0', 'b/candidate/0', 'b/tripwire/0']);
    expect(asked.published).toEqual([{ ended: null, attempts: 2 }]);
    expect(asked.stories.some((story) => story.startsWith('verify: context 0, attempt 2'))).toBe(true);
  });

  it('looks for a control where that is all that is missing, and judges the same script with it', async () => {
    const script = { portfolio: ['a'], verdicts: { a: 'reproduced_uncontrolled', 'a+control': 'reproduced' } } satisfies Partial<Script>;
    const { result, asked } = await scenario(script, async ({ workflowId }) => executed(await reproduce(workflowId)));
    expect(result).toMatchObject({ verdict: 'reproduced' });
    expect(asked.trials.filter((trial) => trial.includes('sabotage'))).toEqual(['a/sabotage/0']);
    expect(asked.attempts).toHaveLength(1);
    expect(asked.stories).toContain('verify: context 0, attempt 1: control proposed: an off-by-one');
  });

  it('rotates to the next context after five failed attempts, with what was learned', async () => {
    const { asked } = await scenario(
      { portfolio: ['a'], contexts: 3, verdicts: { 'generated-7': 'reproduced_uncontrolled' } },
      async ({ workflowId }) => executed(await reproduce(workflowId)),
    );
    expect(asked.proposals.map((proposal) => proposal.context)).toEqual([1, 1, 1, 1, 1, 2, 2]);
    expect(asked.proposals[0]?.memory).toBe('memory-after-a');
    expect(asked.proposals[5]?.memory).toBe('memory-after-generated-5');
    expect(asked.attempts.map((attempt) => `${attempt.context}.${attempt.attempt}`)).toEqual([
      '0.1',
      '1.1',
      '1.2',
      '1.3',
      '1.4',
      '1.5',
      '2.1',
      '2.2',
    ]);
  });

  it('does not count attempts that the platform spoiled, and asks no model when told so', async () => {
    const model = { ...shared('x').model, enabled: false, budget: { ...shared('x').model.budget, attemptsPerContext: 2 } };
    const { asked } = await scenario(
      { portfolio: ['a', 'b', 'c', 'd'], contexts: 2, verdicts: { a: 'infra_error' } },
      async ({ workflowId }) => executed(await reproduce(workflowId, { model })),
    );
    expect(asked.attempts.map((attempt) => attempt.candidateId)).toEqual(['a', 'b', 'c']);
    expect(asked.proposals).toEqual([]);
  });

  it('says what is missing where the report names no symptom', async () => {
    const { result, asked } = await scenario({ liveFacets: 0 }, async ({ workflowId }) => executed(await reproduce(workflowId)));
    expect(result).toMatchObject({ verdict: 'needs_info' });
    expect(asked.trials).toEqual([]);
  });

  it('fails with the error of a request that cannot be carried out, and publishes no verdict', async () => {
    const failing = await scenario({ environmentError: 'interpreter-not-found' }, async ({ workflowId }) =>
      executed(await reproduce(workflowId)).catch(toAppError),
    );
    expect(failing.result).toMatchObject({ code: 'interpreter-not-found' });
    expect(failing.asked.published).toEqual([]);
    expect(failing.asked.stories.at(-1)).toMatch(/\[failed\]$/);
    const unsolvable = await scenario({ environmentError: 'environment-unsolvable' }, async ({ workflowId }) =>
      executed(await reproduce(workflowId)),
    );
    expect(unsolvable.result).toMatchObject({ verdict: 'unsupported' });
  });

  it('stops at a spent budget and publishes what there is', async () => {
    const model = { ...shared('x').model, budget: { costUsd: null, tokens: 250, minutes: null, attemptsPerContext: 5 } };
    const { result, asked } = await scenario({ contexts: 2 }, async ({ workflowId }) => executed(await reproduce(workflowId, { model })));
    expect(result).toMatchObject({ verdict: 'inconclusive' });
    expect(asked.published[0]?.ended?.reason).toContain('budget');
    expect(asked.attempts).toHaveLength(3);
  });

  it('takes hints and extra attempts while it runs, and refuses bad ones', async () => {
    const { asked } = await scenario({ contexts: 1, trialMilliseconds: 1_500 }, async ({ workflowId }) => {
      const handle = await reproduce(workflowId, {
        model: { ...shared('x').model, budget: { ...shared('x').model.budget, attemptsPerContext: 1 } },
      });
      await until(() => handle.query<{ phase: string }>('getStatus').then((status) => status.phase === 'retrieve'));
      expect(await handle.executeUpdate('addHint', { args: [{ text: 'look at the sampler', author: 'a' }] })).toBe(1);
      expect(await handle.executeUpdate('grantAttempts', { args: [{ extra: 2 }] })).toBe(3);
      await expect(handle.executeUpdate('addHint', { args: [{ text: ' ', author: 'a' }] })).rejects.toThrow();
      await expect(handle.executeUpdate('grantAttempts', { args: [{ extra: 0 }] })).rejects.toThrow();
      return executed(handle);
    });
    expect(asked.proposals).toHaveLength(3);
    expect(asked.proposals.at(-1)?.hints).toEqual(['look at the sampler']);
  });

  it('stops when a person says so, cancels the trial under way, and still publishes', async () => {
    const { result, asked } = await scenario({ portfolio: ['a'], trialMilliseconds: 60_000 }, async ({ workflowId }, soFar) => {
      const handle = await reproduce(workflowId);
      await until(() => Promise.resolve(soFar.trials.length > 0));
      await handle.executeUpdate('stop', { args: [{ reason: 'enough' }] });
      return executed(handle);
    });
    expect(result).toMatchObject({ verdict: 'cancelled' });
    expect(asked.published).toEqual([{ ended: { state: 'cancelled', reason: 'a person stopped it' }, attempts: 0 }]);
  });
});

describe('judgeScriptWorkflow and replayBundleWorkflow', () => {
  it('judge one script and one bundle on the same path', async () => {
    const judged = await scenario({ verdicts: { 'x.py': 'reproduced' } }, async ({ workflowId }) => {
      const request: JudgeRequest = { ...shared(workflowId), kind: 'judge', script: { name: 'x.py', text: 't' }, oracles: null };
      return client.workflow.execute(WORKFLOW_TYPES.judge, { workflowId, taskQueue: QUEUES.workflows, args: [request] });
    });
    expect(judged.result).toMatchObject({ verdict: 'reproduced' });
    const replayed = await scenario({ verdicts: { b: 'reproduced' } }, async ({ workflowId }) => {
      const request: ReplayRequest = {
        kind: 'replay',
        schemaVersion: 1,
        runId: workflowId,
        title: 'a bundle',
        bundleTree: 'b',
        subject: null,
        treeHash: null,
        python: null,
        controlPython: null,
        requirements: [],
        allowUnsandboxed: false,
        series: workflowId,
      };
      return client.workflow.execute(WORKFLOW_TYPES.replay, { workflowId, taskQueue: QUEUES.workflows, args: [request] });
    });
    expect(replayed.result).toMatchObject({ verdict: 'reproduced' });
    expect(replayed.asked.trials).toEqual(['b/candidate/0', 'b/tripwire/0']);
  });
});

describe('bisectBundleWorkflow', () => {
  const start = (workflowId: string) => {
    const request: BisectRequest = {
      kind: 'bisect',
      schemaVersion: 1,
      runId: workflowId,
      title: 'a bisection',
      bundleTree: 'b',
      axis: { type: 'git', url: 'file:///r', good: 'c0', bad: 'c20' },
      rate: null,
      python: null,
      requirements: [],
      maxTrials: 100,
      allowUnsandboxed: false,
      series: workflowId,
    };
    return client.workflow.start(WORKFLOW_TYPES.bisect, { workflowId, taskQueue: QUEUES.workflows, args: [request] });
  };

  it('goes around a commit that cannot be had, and ends with the first one that shows the fault', async () => {
    const { result, asked } = await scenario({ firstBad: 7, lost: ['c10'] }, async ({ workflowId }) => (await start(workflowId)).result());
    expect(result).toMatchObject({ status: 'found' });
    expect(asked.conclusions).toMatchObject([{ culprit: { first: 7, last: 7 }, contradictions: [] }]);
    expect(asked.trials.length).toBeLessThan(22);
  });

  it('says in its record that a person stopped it', async () => {
    const { asked } = await scenario({ trialMilliseconds: 60_000 }, async ({ workflowId }, soFar) => {
      const handle = await start(workflowId);
      await until(() => Promise.resolve(soFar.trials.length > 0));
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
    });
    expect(asked.stories.at(-1)).toMatch(/a person stopped it \[cancelled\]$/);
    expect(asked.conclusions).toEqual([]);
  });
});

describe('minimiseBundleWorkflow', () => {
  const request = (workflowId: string): MinimiseRequest => ({
    kind: 'minimise',
    schemaVersion: 1,
    runId: workflowId,
    title: 'minimised',
    bundleTree: 'b',
    subject: null,
    treeHash: null,
    python: null,
    controlPython: null,
    requirements: [],
    maxTests: 50,
    allowUnsandboxed: false,
    series: workflowId,
  });
  const minimise = ({ workflowId }: { workflowId: string }) =>
    client.workflow.execute(WORKFLOW_TYPES.minimise, { workflowId, taskQueue: QUEUES.workflows, args: [request(workflowId)] });

  it('tries one variant after the other and verifies the smallest that keeps the fault', async () => {
    const { result, asked } = await scenario({ verdicts: { 'of-2-lines': 'reproduced' } }, minimise);
    expect(result).toMatchObject({ verdict: 'reproduced' });
    expect(asked.trials.slice(0, 3)).toEqual(['of-3-lines/candidate/0', 'of-2-lines/candidate/1', 'of-1-lines/candidate/2']);
    expect(asked.trials.at(-1)).toBe('of-2-lines/tripwire/0');
  });

  it('ships the whole one where the smallest does not hold with its controls', async () => {
    const { result, asked } = await scenario({ verdicts: { 'of-2-lines': 'refused', 'of-4-lines': 'reproduced' } }, minimise);
    expect(result).toMatchObject({ verdict: 'reproduced' });
    expect(asked.trials.at(-1)).toBe('of-4-lines/tripwire/0');
    expect(asked.stories.some((story) => story.includes('taking the whole one'))).toBe(true);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
