import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QUEUES, WORKFLOW_TYPES } from '@reenact/domain';
import type { ContextRanking, Report, ReproduceRequest } from '@reenact/domain';
import { claimFromReport } from '@reenact/authoring';
import { readReport } from '@reenact/report';
import { createTopicEmbedder } from '@reenact/retrieval/testing';
import { FolderArtifactStore } from '@reenact/store';
import { spawnModuleProcess } from '@reenact/store/testing';
import { connectTemporal } from '@reenact/temporal/client';
import { ensureTemporalServer, stopTemporalServer } from '@reenact/temporal/server';
import type { TemporalServer } from '@reenact/temporal/server';
import { bundleWorkflows, startWorkerHost } from '@reenact/temporal/worker';
import type { ActivityMap, WorkerHost } from '@reenact/temporal/worker';
import { bundleParts } from '@reenact/verdict/testing';
import { putJson } from './json-artifacts.js';
import { startEmbeddingsEndpoint } from './testing/embeddings-endpoint.js';
import type { EmbeddingsEndpoint } from './testing/embeddings-endpoint.js';
import { PLAIN_SCRIPT, scriptedActivities } from './testing/scripted-activities.js';
import type { Asked } from './testing/scripted-activities.js';

/**
 * The choice of contexts as runs make it: the real workflow and the real activity, which a process of its own hosts as a worker does; the
 * other activities are scripted. The embedder is an endpoint that knows what a few words mean.
 */
const SOURCES = fileURLToPath(new URL('.', import.meta.url));
const TOPICS = [['exhausted', 'allocate'], ['squeeze']];
const REPORT = '# Exhausted after an hour\n\nThe service is exhausted after an hour.\n';
/** Functions of the project, each one chunk. */
const CHUNKS = 200;
/** Texts of one request (`openai-embedder.ts`), and of one write to the cache (`embed-best.ts`). */
const BATCH = 32;

/** Hosts the index queue as the worker does, with the configuration of the variables handed in. */
const WORKER = `
import { readConfiguration } from '@reenact/domain/schemas';
import { startWorkerHost } from '@reenact/temporal/worker';
import { activitiesByQueue, composeDependencies } from './composition.ts';
const { configuration } = readConfiguration(VARIABLES, STATE);
const deps = await composeDependencies(configuration, () => undefined);
await startWorkerHost({
  connection: CONNECTION,
  queues: [QUEUE],
  activities: { [QUEUE]: activitiesByQueue(deps)[QUEUE] },
  logger: () => undefined,
});
console.log('ready');`;

let root = '';
let state = '';
let codePath = '';
let temporal: TemporalServer;
let client: Client;
let closeClient: () => Promise<void>;
let endpoint: EmbeddingsEndpoint;
const workers: ChildProcess[] = [];
const hosts: WorkerHost[] = [];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'reenact-contexts-'));
  codePath = path.join(root, 'workflows.js');
  await bundleWorkflows(fileURLToPath(new URL('../../../workflows/reproduce/src/index.ts', import.meta.url)), codePath);
  temporal = await ensureTemporalServer({
    stateDirectory: root,
    namespace: 'default',
    searchPath: process.env['PATH'] ?? '',
    cliPath: process.env['TEMPORAL_CLI'],
    report: () => undefined,
  });
  const connected = await connectTemporal({ address: temporal.address, namespace: 'default' });
  client = connected.client;
  closeClient = () => connected.close();
}, 300_000);

afterAll(async () => {
  await closeClient();
  await stopTemporalServer(root);
  await rm(root, { recursive: true, force: true });
});

beforeEach(async () => {
  state = await mkdtemp(path.join(root, 'state-'));
  endpoint = await startEmbeddingsEndpoint(createTopicEmbedder(TOPICS));
});

afterEach(async () => {
  endpoint.close();
  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  for (const host of hosts.splice(0)) await host.stop();
});

async function startIndexWorker(variables: Record<string, string> = embedderVariables()): Promise<ChildProcess> {
  const values: Record<string, unknown> = {
    VARIABLES: { PATH: process.env['PATH'], ...variables },
    STATE: state,
    CONNECTION: { address: temporal.address, namespace: 'default' },
    QUEUE: QUEUES.index,
  };
  const code = WORKER.replace(/\b[A-Z]+\b/g, (name) => (name in values ? JSON.stringify(values[name]) : name));
  const child = spawnModuleProcess(code, SOURCES);
  workers.push(child);
  await once(child.stdout ?? child, 'data');
  return child;
}

const embedderVariables = () => ({
  EMBEDDER_TYPE: 'openai',
  EMBEDDER_BASE_URL: endpoint.baseUrl,
  EMBEDDER_MODEL: 'topics',
  EMBEDDER_DIMENSIONS: String(TOPICS.length + 1),
});

/** Starts a run whose portfolio is empty, so that it comes to the contexts at once. */
async function startRun(
  workflowId: string,
): Promise<{ asked: Asked; published: { ranking?: ContextRanking }[]; result: Promise<unknown> }> {
  const artifacts = new FolderArtifactStore(path.join(state, 'artifacts'));
  const project = path.join(state, 'project');
  await mkdir(project);
  const step = (number: number) => `def step_${number}(x):\n    return x + ${number}\n`;
  const steps = Array.from({ length: CHUNKS - 2 }, (_, number) => step(number));
  await writeFile(path.join(project, 'steps.py'), [...steps, 'def hour(time):\n    return time\n'].join('\n\n'));
  await mkdir(path.join(project, 'memory'));
  await writeFile(path.join(project, 'memory', 'pool.py'), 'def grow(pool):\n    pool.allocate(pool.size)\n');
  const report: Report = readReport(Buffer.from(REPORT));
  const stored = await putJson(artifacts, report);
  const claim = await putJson(artifacts, claimFromReport(report));
  const environment = await putJson(artifacts, bundleParts().environment);
  const treeHash = await artifacts.putTree(project);
  const { asked, activities } = scriptedActivities(PLAIN_SCRIPT);
  const published: { ranking?: ContextRanking }[] = [];
  const of = (queue: string) => activities[queue] as Record<string, (input: never) => Promise<object>>;
  const changed = (queue: string, name: string, values: object): ActivityMap => ({
    ...of(queue),
    [name]: async (input: never) => ({ ...(await of(queue)[name]!(input)), ...values }),
  });
  const { publish } = of(QUEUES.core);
  const core = { ...of(QUEUES.core), publish: (input: never) => (published.push(input), publish!(input)) };
  const host = await startWorkerHost({
    connection: { address: temporal.address, namespace: 'default' },
    queues: Object.values(QUEUES).filter((queue) => queue !== QUEUES.index),
    activities: {
      ...activities,
      [QUEUES.core]: core,
      [QUEUES.llm]: changed(QUEUES.llm, 'restructureReport', { claim }),
      [QUEUES.environments]: changed(QUEUES.environments, 'buildEnvironment', { environment }),
    },
    workflows: { type: 'bundle', codePath },
    logger: () => undefined,
  });
  hosts.push(host);
  const request: ReproduceRequest = {
    schemaVersion: 1,
    kind: 'reproduce',
    runId: workflowId,
    title: report.title,
    report: stored,
    subject: { type: 'folder', path: project },
    treeHash,
    fixed: null,
    fixedTreeHash: null,
    controlPython: null,
    python: null,
    requirements: [],
    goodRequirements: [],
    limits: {},
    allowUnsandboxed: false,
    model: { enabled: true, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 1 }, record: null, replay: null },
    series: workflowId,
  };
  const handle = await client.workflow.start(WORKFLOW_TYPES.reproduce, { workflowId, taskQueue: QUEUES.workflows, args: [request] });
  return { asked, published, result: handle.result() };
}

const told = ({ stories }: Asked) => stories.filter((story) => story.startsWith('retrieve: '));

describe('the choice of contexts of a run', () => {
  it('finds with an embedder what words do not, and tells in story and result what was used', async () => {
    await startIndexWorker();
    const { asked, published, result } = await startRun('dense');
    await result;
    expect(told(asked)).toContainEqual(expect.stringMatching(/^retrieve: context 1: \.: .*memory\/pool\.py/));
    expect(told(asked)[1]).toMatch(
      /^retrieve: 200 chunks ranked by words and topics \([0-9a-f]{12}\) \(embedded engine; 200 embedded now, 0 without a vector\)$/,
    );
    expect(published[0]?.ranking).toMatchObject({ engine: 'embedded', embedder: { name: 'topics', embedded: 200, pending: 0 } });
  });

  it('does not find it by words alone, and says that these were all', async () => {
    await startIndexWorker({});
    const { asked, published, result } = await startRun('lexical');
    await result;
    expect(told(asked).join('\n')).not.toContain('pool.py');
    expect(told(asked)[1]).toContain('ranked by words alone, since no embedding model is configured');
    expect(published[0]?.ranking).toMatchObject({ embedder: null });
    expect(endpoint.answered).toEqual([]);
  });

  it('embeds only the rest after the worker was killed in the middle', async () => {
    const worker = await startIndexWorker();
    const third = Promise.withResolvers<void>();
    endpoint.beforeAnswer = async (request) => {
      if (request !== 2) return;
      third.resolve();
      await once(worker, 'exit');
    };
    const { published, result } = await startRun('killed');
    await third.promise;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    const before = endpoint.answered.slice(0, 2).flat();
    endpoint.answered.length = 0;
    endpoint.beforeAnswer = () => Promise.resolve();
    await startIndexWorker();
    await result;
    expect(before).toHaveLength(2 * BATCH);
    expect(published[0]?.ranking?.embedder).toMatchObject({ embedded: CHUNKS - 2 * BATCH, pending: 0 });
    const after = endpoint.answered.flat();
    expect(before.filter((text) => after.includes(text))).toEqual([]);
  });

  it('tells how far it is, and gives up between batches when the run is stopped', async () => {
    await startIndexWorker();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    endpoint.beforeAnswer = (request) => (request < 2 ? Promise.resolve() : held);
    const { result } = await startRun('stopped');
    const handle = client.workflow.getHandle('stopped');
    const progress = async () => (await handle.describe()).raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
    await until(async () =>
      Buffer.from((await progress()) ?? [])
        .toString()
        .includes(`embedding: ${2 * BATCH} of ${CHUNKS} chunks, `),
    );
    await handle.executeUpdate('stop', { args: [{ reason: 'enough' }] });
    expect(await result).toMatchObject({ verdict: 'cancelled' });
    release();
    expect(endpoint.answered.length).toBeLessThanOrEqual(3);
  });

  it('fails with what to do where the embedder cannot be had, and takes no words instead', async () => {
    await startIndexWorker({ EMBEDDER_TYPE: 'onnx', EMBEDDER_DIRECTORY: path.join(state, 'absent') });
    const { asked, result } = await startRun('absent');
    await expect(result).rejects.toThrow();
    expect(asked.published).toEqual([]);
    expect(asked.stories.at(-1)).toMatch(/has no model\.onnx.*\[failed\]$/);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
