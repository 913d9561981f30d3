import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTemporal, isCancelled, QUEUES, toAppError } from '../client/index.js';
import type { TemporalClient } from '../client/index.js';
import { ensureTemporalServer, stopTemporalServer } from '../server/index.js';
import type { TemporalServer } from '../server/index.js';
import { createTestActivities } from '../testing/activities.js';
import { startTestWorker, TEST_WORKFLOWS, untilHistoryHas } from '../testing/test-worker.js';
import { cancellableWorkflow, failingWorkflow, goOn, waitingWorkflow } from '../testing/workflows.js';
import { bundleWorkflows, runWorker } from './index.js';

let stateDirectory = '';
let server: TemporalServer;
let temporal: TemporalClient;

beforeAll(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'temporal-worker-'));
  const cliPath = process.env['TEMPORAL_CLI'];
  server = await ensureTemporalServer({
    stateDirectory,
    namespace: 'default',
    cliPath,
    searchPath: process.env['PATH'] ?? '',
    report: () => undefined,
  });
  temporal = await connectTemporal(server);
});
afterAll(async () => {
  await temporal.close();
  await stopTemporalServer(stateDirectory);
  await rm(stateDirectory, { recursive: true, force: true });
});

const onWorkflows = { taskQueue: QUEUES.workflows };

describe('startWorkerHost', () => {
  it('keeps code, hint and retryability of an AppError from the activity to the client', async () => {
    const worker = await startTestWorker(server);
    const failure: unknown = await temporal.client.workflow
      .execute(failingWorkflow, { ...onWorkflows, workflowId: 'failing', args: ['budget-exceeded'] })
      .catch((error: unknown) => error);
    expect(toAppError(failure)).toMatchObject({ code: 'budget-exceeded', message: 'failed with budget-exceeded', hint: 'mend it' });
    await worker.stop();
    await worker.stop();
  });

  it('delivers a cancellation to a heartbeating activity, and the workflow cleans up afterwards', async () => {
    const worker = await startTestWorker(server);
    const handle = await temporal.client.workflow.start(cancellableWorkflow, { ...onWorkflows, workflowId: 'cancelled' });
    await untilHistoryHas(handle, 'activityTaskScheduledEventAttributes');
    await handle.cancel();
    expect(await handle.result()).toBe('cleaned up!');
    await worker.stop();
  });

  it('says that nothing answers', async () => {
    const options = {
      connection: { address: '127.0.0.1:1', namespace: 'default' },
      queues: [],
      activities: {},
      logger: () => undefined,
      connectPatienceSeconds: 0.5,
    };
    await expect(runWorker({ ...options, signal: new AbortController().signal })).rejects.toMatchObject({ code: 'temporal-unreachable' });
    expect(await runWorker({ ...options, connectPatienceSeconds: 600, signal: AbortSignal.timeout(300) })).toBe('signal');
    await expect(connectTemporal(options.connection, 0.5)).rejects.toMatchObject({ code: 'temporal-unreachable' });
  });
});

describe('bundleWorkflows and runWorker', () => {
  it('runs a written bundle, stays while a workflow is open, and ends when idle', async () => {
    const bundle = await bundleWorkflows(TEST_WORKFLOWS, join(stateDirectory, 'bundle', 'workflows.js'));
    expect((await readFile(bundle.codePath)).byteLength).toBe(bundle.byteCount);
    const handle = await temporal.client.workflow.start(waitingWorkflow, { ...onWorkflows, workflowId: 'idle', args: ['x'] });
    const reasons: string[] = [];
    const activities = createTestActivities();
    const run = runWorker({
      connection: server,
      queues: [QUEUES.workflows, QUEUES.core],
      activities: { [QUEUES.core]: { step: activities.step } },
      workflows: { type: 'bundle', codePath: bundle.codePath },
      logger: () => undefined,
      signal: new AbortController().signal,
      idle: { afterSeconds: 0.5, checkEverySeconds: 0.1, onIdle: (reason) => reasons.push(reason) > 0 },
    });
    await untilHistoryHas(handle, 'activityTaskCompletedEventAttributes');
    expect(reasons).toEqual([]);
    await handle.signal(goOn);
    expect(await handle.result()).toContain('x!!');
    expect(await run).toBe('no-open-workflows');
    expect(reasons).toEqual(['no-open-workflows']);
  });

  it('ends by the signal', async () => {
    const controller = new AbortController();
    const run = runWorker({
      connection: server,
      queues: [QUEUES.core],
      activities: { [QUEUES.core]: { step: createTestActivities().step } },
      logger: () => undefined,
      signal: controller.signal,
      onReady: () => controller.abort(),
    });
    expect(await run).toBe('signal');
  });

  it('fails with webpack’s words when an import does not resolve', async () => {
    await expect(bundleWorkflows(join(stateDirectory, 'absent.ts'), join(stateDirectory, 'bundle', 'absent.js'))).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('absent') as string,
    });
  });
});

describe('toAppError', () => {
  it('tells a missing run and a cancelled one from an error', async () => {
    const missing: unknown = await temporal.client.workflow
      .getHandle('nowhere')
      .describe()
      .catch((error: unknown) => error);
    expect(toAppError(missing)).toMatchObject({ code: 'run-not-found' });
    const handle = await temporal.client.workflow.start(waitingWorkflow, { ...onWorkflows, workflowId: 'terminated', args: ['x'] });
    await handle.terminate('enough');
    const ended: unknown = await handle.result().catch((error: unknown) => error);
    expect(isCancelled(ended)).toBe(true);
  });
});
