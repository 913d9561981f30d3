import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReproduceRequest, RunEvent } from '@reenact/domain';
import { sampleVerdict } from '@reenact/reporting/testing';
import { MemoryArtifactStore, MemoryRunStore } from '@reenact/store/testing';
import { loadConfiguration } from '../config.js';
import type { Engine } from '../engine/engine.js';
import { statePaths } from '../state-paths.js';
import { followRun } from './follow-run.js';
import type { Session } from './session.js';
import { findFinishedRun, startRun } from './start-run.js';
import { giveHint } from './steer-run.js';

const DRAFT: Omit<ReproduceRequest, 'runId' | 'series'> = {
  kind: 'reproduce',
  schemaVersion: 1,
  title: 'Loss turns NaN',
  report: `sha256:${'0'.repeat(64)}`,
  subject: { type: 'folder', path: '/p' },
  treeHash: 'a'.repeat(64),
  fixed: null,
  fixedTreeHash: null,
  controlPython: null,
  python: null,
  requirements: [],
  goodRequirements: [],
  limits: {},
  allowUnsandboxed: false,
  model: { enabled: false, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 5 }, record: null, replay: null },
};

/** An engine whose workflows are ended by the spec. */
function fakeEngine() {
  const started: { type: string; options: Record<string, unknown> }[] = [];
  const control = { started, heals: 0, stopped: false, missing: [] as string[], results: [] as (() => Promise<unknown>)[] };
  const workflow = {
    start: async (type: string, options: Record<string, unknown>) => void started.push({ type, options }),
    getHandle: () => ({ result: () => (control.results.shift() ?? (() => new Promise(() => undefined)))() }),
  };
  const engine = {
    client: { workflow },
    get server() {
      return { searchAttributes: { missing: control.missing, mistyped: [] } };
    },
    wasStopped: async () => control.stopped,
    heal: async () => void (control.heals += 1),
  } as unknown as Engine;
  return { engine, control };
}

let session: Session;

beforeEach(() => {
  session = {
    configuration: { ...loadConfiguration({}), stateDirectory: '/state' },
    paths: statePaths('/state'),
    runs: new MemoryRunStore(),
    artifacts: new MemoryArtifactStore('/nowhere'),
    close: () => undefined,
  };
});

async function finish(runId: string, verdict = sampleVerdict({ runId })): Promise<void> {
  const row = await session.runs.getRun(runId);
  if (row === null) throw new Error('no row');
  await session.runs.putVerdict(runId, verdict);
  await session.runs.upsertRun({ ...row, state: 'done', verdict: verdict.verdict, updatedAt: new Date().toISOString() });
}

describe('startRun', () => {
  it('records the run, then starts the workflow by a name that the request alone decides', async () => {
    const { engine, control } = fakeEngine();
    const { row, outcome } = await startRun(session, engine, DRAFT);
    expect(outcome).toBe('started');
    expect(row).toMatchObject({ state: 'running', folder: `/state/runs/${row.runId}` });
    expect(control.started).toMatchObject([
      {
        type: 'reproduceBugWorkflow',
        options: {
          workflowId: row.workflowId,
          taskQueue: 'reenact-workflows',
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
          args: [{ runId: row.runId, series: row.runId }],
          memo: { searchAttributes: true },
        },
      },
    ]);
  });

  it('attaches to an identical request that runs, and starts beside one that has ended', async () => {
    const { engine } = fakeEngine();
    const first = await startRun(session, engine, DRAFT);
    expect(await startRun(session, engine, DRAFT)).toMatchObject({ outcome: 'attached', row: { runId: first.row.runId } });
    await finish(first.row.runId);
    const second = await startRun(session, engine, DRAFT);
    expect(second.outcome).toBe('started');
    expect(second.row.workflowId).toBe(`${first.row.workflowId}.1`);
  });

  it('attaches to a workflow that ended between the look at the run and the start', async () => {
    const { engine } = fakeEngine();
    const first = await startRun(session, engine, DRAFT);
    engine.client.workflow.start = () =>
      Promise.reject(new WorkflowExecutionAlreadyStartedError('ended', first.row.workflowId, 'reproduceBugWorkflow'));
    expect(await startRun(session, engine, DRAFT)).toMatchObject({ outcome: 'attached', row: { runId: first.row.runId } });
  });

  it('sets no search attributes on a cluster that lacks them', async () => {
    const { engine, control } = fakeEngine();
    control.missing.push('BugKey=Keyword');
    await startRun(session, engine, DRAFT);
    expect(control.started[0]?.options).not.toHaveProperty('typedSearchAttributes');
    expect(control.started[0]?.options).toMatchObject({ memo: { searchAttributes: false } });
  });
});

describe('findFinishedRun', () => {
  it('gives the verdict of an identical request, but none that is no answer', async () => {
    const { engine } = fakeEngine();
    expect(await findFinishedRun(session, DRAFT)).toBeNull();
    const first = await startRun(session, engine, DRAFT);
    expect(await findFinishedRun(session, DRAFT)).toBeNull();
    await finish(first.row.runId, sampleVerdict({ verdict: 'infra_error' }));
    expect(await findFinishedRun(session, DRAFT)).toBeNull();
    const second = await startRun(session, engine, DRAFT);
    await finish(second.row.runId);
    expect(await findFinishedRun(session, DRAFT)).toMatchObject({ row: { runId: second.row.runId }, verdict: { verdict: 'reproduced' } });
    expect(await findFinishedRun(session, { ...DRAFT, requirements: ['numpy==1'] })).toBeNull();
  });
});

describe('followRun', () => {
  async function begun() {
    const fake = fakeEngine();
    const { row } = await startRun(session, fake.engine, DRAFT);
    const told: RunEvent[] = [];
    const say = (message: string) => session.runs.appendEvent(row.runId, message, { at: row.createdAt, phase: 'verify', message });
    return { ...fake, row, told, say, options: { onEvent: (event: RunEvent) => void told.push(event) } };
  }

  it('tells every line once and in order, the last ones too, and gives the verdict', async () => {
    const { engine, control, row, told, say, options } = await begun();
    await say('one');
    control.results.push(async () => {
      await say('two');
      await finish(row.runId);
    });
    expect(await followRun(session, engine, row, options)).toMatchObject({ verdict: 'reproduced' });
    expect(told.map((event) => event.message)).toEqual(['one', 'two']);
  });

  it('brings the engine back when the server is away, and goes on', async () => {
    const { engine, control, row, options } = await begun();
    const away = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} });
    control.results.push(
      () => Promise.reject(away),
      () => finish(row.runId),
    );
    expect(await followRun(session, engine, row, options)).toMatchObject({ verdict: 'reproduced' });
    expect(control.heals).toBeGreaterThan(0);
  });

  it('ends with the signal, and the run goes on', async () => {
    const { engine, row, options } = await begun();
    expect(await followRun(session, engine, row, { ...options, signal: AbortSignal.abort() })).toBeNull();
    expect(await session.runs.getRun(row.runId)).toMatchObject({ state: 'running' });
  });

  it('leaves off when the user ended the engine, brings nothing back, and the run stays open', async () => {
    const { engine, control, row, options } = await begun();
    control.stopped = true;
    control.results.push(() => Promise.reject(Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} })));
    expect(await followRun(session, engine, row, options)).toBeNull();
    expect(control.heals).toBe(0);
    expect(await session.runs.getRun(row.runId)).toMatchObject({ state: 'running' });
  });

  it('marks a run whose workflow is gone as failed, and says so', async () => {
    const { engine, control, row, options } = await begun();
    control.results.push(() => Promise.reject(new WorkflowNotFoundError('gone', row.workflowId, undefined)));
    await expect(followRun(session, engine, row, options)).rejects.toMatchObject({ code: 'run-not-found' });
    expect(await session.runs.getRun(row.runId)).toMatchObject({ state: 'failed' });
  });
});

describe('giveHint', () => {
  it('refuses a run that has ended, and one that judges a script', async () => {
    const { engine } = fakeEngine();
    const { row } = await startRun(session, engine, DRAFT);
    await expect(giveHint(engine, { ...row, state: 'done' }, { text: 'x', author: 'y' })).rejects.toMatchObject({ code: 'usage' });
    await expect(giveHint(engine, { ...row, workflowId: 'judge/a/b' }, { text: 'x', author: 'y' })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
