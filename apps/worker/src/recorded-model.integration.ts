import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUEUES, WORKFLOW_TYPES } from '@reenact/domain';
import type { Configuration, ModelUse, ReproduceRequest } from '@reenact/domain';
import { readConfiguration } from '@reenact/domain/schemas';
import { findInterpreter } from '@reenact/environment';
import { connectTemporal } from '@reenact/temporal/client';
import { ensureTemporalServer, stopTemporalServer } from '@reenact/temporal/server';
import type { TemporalServer } from '@reenact/temporal/server';
import { bundleWorkflows, startWorkerHost } from '@reenact/temporal/worker';
import { activitiesByQueue, composeDependencies } from './composition.js';

/**
 * The whole pipeline with a model, on a case whose symptom no rule can check: once with an endpoint that gives the considered
 * answers of `fixtures/recorded-model` (recorded), once from that recording alone.
 */
const source = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const CASE = source('../../../bench/cases/shape-window-order');
/** Schema names of the questions, and the files with their answers. */
const ANSWERS: Record<string, string> = {
  refined_claim: 'claim.json',
  plan: 'plan.json',
  candidate_script: 'script.json',
  control_functions: 'control.json',
};

let stateDirectory: string;
let codePath: string;
let temporal: TemporalServer;
let endpoint: Server;
const asked: string[] = [];

beforeAll(async () => {
  stateDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-recorded-'));
  codePath = path.join(stateDirectory, 'workflows.js');
  await bundleWorkflows(source('../../../workflows/reproduce/src/index.ts'), codePath);
  temporal = await ensureTemporalServer({
    stateDirectory,
    namespace: 'default',
    searchPath: process.env['PATH'] ?? '',
    cliPath: process.env['TEMPORAL_CLI'],
    report: () => undefined,
  });
  endpoint = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const name = (JSON.parse(text) as { response_format: { json_schema: { name: string } } }).response_format.json_schema.name;
      asked.push(name);
      const content = await readFile(source(`./fixtures/recorded-model/${ANSWERS[name] ?? 'unknown'}`), 'utf8');
      const message = { role: 'assistant', content, refusal: null };
      const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
      const body = {
        id: 'c',
        object: 'chat.completion',
        created: 0,
        model: 'm',
        choices: [{ index: 0, finish_reason: 'stop', message }],
        usage,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
}, 300_000);

afterAll(async () => {
  endpoint.close();
  await stopTemporalServer(stateDirectory);
  await rm(stateDirectory, { recursive: true, force: true });
});

function configuration(model: Record<string, string>): Configuration {
  const result = readConfiguration({ PATH: process.env['PATH'], REENACT_STATE: stateDirectory, ...model }, stateDirectory);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.configuration;
}

async function reproduce(
  runId: string,
  settings: Configuration,
  { patched, ...use }: Pick<ModelUse, 'record' | 'replay'> & { patched: boolean },
) {
  const deps = await composeDependencies(settings, () => undefined);
  const host = await startWorkerHost({
    connection: { address: temporal.address, namespace: 'default' },
    queues: Object.values(QUEUES),
    activities: activitiesByQueue(deps),
    workflows: { type: 'bundle', codePath },
    logger: () => undefined,
  });
  const { client, close } = await connectTemporal({ address: temporal.address, namespace: 'default' });
  try {
    const put = async (file: string): Promise<string> => deps.artifacts.putBytes(await readFile(path.join(CASE, file)));
    const request: ReproduceRequest = {
      schemaVersion: 1,
      kind: 'reproduce',
      runId,
      title: 'axes in the wrong order',
      report: await put('report.md'),
      subject: { type: 'folder', path: path.join(CASE, 'project') },
      treeHash: await deps.artifacts.putTree(path.join(CASE, 'project')),
      fixed: patched ? { type: 'patch', patch: await put('fix.patch') } : null,
      fixedTreeHash: null,
      controlPython: null,
      python: (await findInterpreter('python3', settings.searchPath)) ?? 'python3',
      requirements: [],
      goodRequirements: [],
      limits: {},
      allowUnsandboxed: true,
      model: { enabled: true, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 2 }, ...use },
      series: runId,
    };
    const run = await client.workflow.start(WORKFLOW_TYPES.reproduce, { workflowId: runId, taskQueue: QUEUES.workflows, args: [request] });
    const result = (await run.result()) as { verdict: string; sentence: string };
    return { result, calls: await deps.runs.listModelCalls(runId) };
  } finally {
    await host.stop();
    await close();
    deps.runs.close();
  }
}

describe('a run with a model', () => {
  it('is proven by code, and a recording of it gives the same verdict without the model', async () => {
    const recordings = path.join(stateDirectory, 'recordings');
    const { port } = endpoint.address() as AddressInfo;
    const model = { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_API_KEY: 'none', LLM_MODEL: 'hand' };
    const first = await reproduce('recorded', configuration(model), { record: recordings, replay: null, patched: true });
    expect(first.result.sentence).toContain('0 of 3 with');
    expect(first.result.verdict).toBe('reproduced');
    expect(asked).toEqual(['refined_claim', 'plan', 'candidate_script']);
    expect(await readdir(recordings)).toHaveLength(3);

    const second = await reproduce('replayed', configuration({}), { record: null, replay: recordings, patched: true });
    expect(second.result).toEqual(first.result);
    expect(second.calls.map(({ purpose, costUsd }) => [purpose, costUsd]).toSorted()).toEqual([
      ['claim', 0],
      ['plan', 0],
      ['script', 0],
    ]);
    expect(asked).toHaveLength(3);
  });

  it('finds a control where no fix is known: the suspected function as the model would write it', async () => {
    asked.length = 0;
    const { port } = endpoint.address() as AddressInfo;
    const model = { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_API_KEY: 'none', LLM_MODEL: 'hand' };
    const { result } = await reproduce('controlled', configuration(model), { record: null, replay: null, patched: false });
    expect(asked.at(-1)).toBe('control_functions');
    expect(result.sentence).toContain('0 of 3 with the suspected code replaced');
    expect(result.verdict).toBe('reproduced');
  });
});
