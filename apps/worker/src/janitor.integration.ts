import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QUEUES, WORKFLOW_TYPES } from '@reenact/domain';
import { connectTemporal, countOpenWorkflows, runStateOf } from '@reenact/temporal/client';
import { ensureTemporalServer, stopTemporalServer } from '@reenact/temporal/server';
import type { TemporalServer } from '@reenact/temporal/server';
import { startWorkerHost } from '@reenact/temporal/worker';
import type { WorkerHost } from '@reenact/temporal/worker';
import { createMaintenanceActivities } from './activities/maintenance-activities.js';
import { scheduleJanitor } from './janitor-schedule.js';
import { recordHistory } from './testing/record-history.js';

const workflowsPath = fileURLToPath(new URL('../../../workflows/reproduce/src/index.ts', import.meta.url));
const CLUSTER = { type: 'kubernetes', settings: '/none', kubeconfig: null, context: null, apiHost: null, apiPort: null } as const;
/** Nothing serves this queue, so what is started there stays open. */
const NOBODY = 'nobody';

let stateDirectory: string;
let server: TemporalServer;
let client: Client;
let host: WorkerHost | undefined;
let close: () => Promise<void>;
const connection = () => ({ address: server.address, namespace: 'default' });

beforeAll(async () => {
  stateDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-janitor-'));
  server = await ensureTemporalServer({
    ...{ stateDirectory, namespace: 'default', searchPath: process.env['PATH'] ?? '', cliPath: process.env['TEMPORAL_CLI'] },
    report: () => undefined,
  });
  const connected = await connectTemporal(connection());
  client = connected.client;
  close = () => connected.close();
}, 300_000);

afterAll(async () => {
  await host?.stop();
  await close();
  await stopTemporalServer(stateDirectory);
});

it('the janitor is scheduled once, asks what became of workflows, and keeps nobody awake', { timeout: 240_000 }, async () => {
  const start = (workflowId: string) => client.workflow.start(WORKFLOW_TYPES.judge, { workflowId, taskQueue: NOBODY, args: [] });
  const [open, closed] = [await start('open'), await start('closed')];
  await closed.terminate();
  const runs = [
    { workflowId: 'open', runToken: open.firstExecutionRunId },
    { workflowId: 'closed', runToken: closed.firstExecutionRunId },
    { workflowId: 'open', runToken: randomUUID() },
    { workflowId: 'elsewhere', runToken: randomUUID() },
    { workflowId: 'open', runToken: 'no-uuid' },
  ];
  const activities = createMaintenanceActivities({
    sweep: async ({ fateOf }) => {
      const findings: string[] = [];
      for (const run of runs) findings.push(await fateOf(run));
      return { removed: 0, kept: 0, findings };
    },
  });
  await scheduleJanitor({ type: 'local' }, connection());
  await expect(client.schedule.getHandle('janitor').describe()).rejects.toThrow();
  await scheduleJanitor(CLUSTER, connection());
  await client.schedule.getHandle('janitor').pause('by a person');
  await scheduleJanitor(CLUSTER, connection());
  const schedule = client.schedule.getHandle('janitor');
  expect(await schedule.describe()).toMatchObject({ state: { paused: true }, policies: { overlap: 'SKIP' } });

  await schedule.trigger();
  await expect.poll(() => started(schedule), { timeout: 60_000 }).toHaveLength(1);
  const workflowId = (await started(schedule))[0] ?? '';
  await expect.poll(() => runningTypes(), { timeout: 60_000 }).toEqual([WORKFLOW_TYPES.janitor, WORKFLOW_TYPES.judge]);
  expect(await countOpenWorkflows(client)).toBe(1);
  host = await startWorkerHost({
    connection: connection(),
    queues: [QUEUES.workflows, QUEUES.core],
    activities: { [QUEUES.core]: { ...activities } },
    workflows: { type: 'path', workflowsPath },
    logger: () => undefined,
  });
  const handle = client.workflow.getHandle(workflowId);
  expect(await handle.result()).toEqual({ removed: 0, kept: 0, findings: ['open', 'closed', 'unknown', 'unknown', 'unknown'] });
  expect(await runStateOf(client, workflowId, (await handle.describe()).runId)).toBe('closed');
  await recordHistory(process.env['REENACT_RECORD_HISTORIES'], 'janitor', await handle.fetchHistory());
});

async function started(schedule: { describe(): Promise<{ info: { recentActions: { action: { workflow: { workflowId: string } } }[] } }> }) {
  return (await schedule.describe()).info.recentActions.map(({ action }) => action.workflow.workflowId);
}

async function runningTypes(): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of client.workflow.list({ query: 'ExecutionStatus="Running"' })) types.push(type);
  return types.sort();
}
