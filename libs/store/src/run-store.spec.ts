import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelCall, RunRow, RunStore, Trial, Verdict } from '@reenact/domain';
import { MIGRATIONS } from './run-database.js';
import { SqliteRunStore } from './sqlite-run-store.js';
import { MemoryRunStore } from './testing/memory-run-store.js';

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'runs-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const file = () => join(scratch, 'state', 'runs.sqlite');
const stores: [string, () => RunStore][] = [
  ['sqlite', () => new SqliteRunStore(file())],
  ['memory', () => new MemoryRunStore()],
];

function run(runId: string, changes: Partial<RunRow> = {}): RunRow {
  const at = '2030-01-02T03:04:05.000Z';
  return {
    runId,
    workflowId: `repro/${runId}`,
    title: 'a title',
    phase: 'intake',
    state: 'running',
    verdict: null,
    createdAt: at,
    updatedAt: at,
    folder: `/runs/${runId}`,
    ...changes,
  };
}
function trial(id: string, seconds = 1): Trial {
  const ids = { id, bundleId: 'b', environmentId: 'e', treeHash: 't' };
  return {
    schemaVersion: 1,
    ...ids,
    arm: 'candidate',
    index: 0,
    outcome: 'finished',
    infraReason: null,
    evidence: null,
    sentinel: null,
    seconds,
    overheadSeconds: 0.1,
  };
}
function modelCall(promptHash: string): ModelCall {
  const prompt = `sha256:${'a'.repeat(64)}`;
  return {
    schemaVersion: 1,
    purpose: 'plan',
    model: 'm',
    promptHash,
    prompt,
    answer: null,
    inputTokens: 1,
    outputTokens: 2,
    costUsd: null,
    seconds: 1,
    error: 'none',
  };
}
function verdict(runId: string): Verdict {
  const rate = { shown: 3, total: 3, low: 0.29, high: 1 };
  const lists = { facets: [], controls: [], findings: [], missing: [], attempts: [], skipped: [] };
  const answer = {
    verdict: 'reproduced',
    sentence: 'It is.',
    rate,
    grade: 'A',
    gradeReason: 'real code',
    depth: 'L5',
    reason: null,
  } as const;
  const rest = {
    cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    bundle: null,
    environment: null,
    trials: 3,
    seconds: 4,
  };
  return { schemaVersion: 1, runId, ...answer, ...lists, ...rest };
}

describe.each(stores)('%s run store: contract', (_, create) => {
  let store: RunStore;
  beforeEach(() => {
    store = create();
  });
  afterEach(() => store.close());

  it('upserts a run by id; the first creation time stays, an older row never replaces a newer one', async () => {
    await store.upsertRun(run('r1'));
    const newer = run('r1', {
      phase: 'verify',
      state: 'done',
      verdict: 'reproduced',
      createdAt: '2031-01-01T00:00:00.000Z',
      updatedAt: '2030-01-02T03:04:06.000Z',
    });
    await store.upsertRun(newer);
    await store.upsertRun(run('r1', { phase: 'late' }));
    expect(await store.getRun('r1')).toEqual({ ...newer, createdAt: run('r1').createdAt });
  });

  it('finds a run by id or beginning, and names the choices of an ambiguous one', async () => {
    for (const id of ['abc', 'abcd', 'ab_']) await store.upsertRun(run(id));
    expect((await store.getRun('abc'))?.runId).toBe('abc');
    expect((await store.getRun('abcd'))?.runId).toBe('abcd');
    expect((await store.getRun('ab_'))?.runId).toBe('ab_');
    await expect(store.getRun('ab')).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('abcd') as string });
    expect(await store.getRun('b%')).toBeNull();
    expect(await store.getRun('')).toBeNull();
  });

  it('lists the newest runs first', async () => {
    for (const [index, id] of ['r1', 'r2', 'r3'].entries())
      await store.upsertRun(run(id, { createdAt: `2030-01-0${index + 1}T00:00:00.000Z` }));
    expect((await store.listRuns(2)).map((row) => row.runId)).toEqual(['r3', 'r2']);
  });

  it('appends an event once per key and numbers events within their run', async () => {
    const event = { at: '2030-01-01T00:00:00.000Z', phase: 'intake', message: 'one' };
    await store.appendEvent('r1', 'k1', { ...event, data: { context: 1 } });
    await store.appendEvent('r1', 'k1', { ...event, message: 'again' });
    await store.appendEvent('r2', 'k1', event);
    await store.appendEvent('r1', 'k2', { ...event, message: 'two' });
    expect(await store.listEvents('r1', 0)).toEqual([
      { ...event, sequence: 1, data: { context: 1 } },
      { ...event, message: 'two', sequence: 2 },
    ]);
    expect((await store.listEvents('r1', 1)).map((row) => row.message)).toEqual(['two']);
    expect(await store.listEvents('r2', 0)).toEqual([{ ...event, sequence: 1 }]);
  });

  it('keeps one trial, verdict and model call per key', async () => {
    await store.putTrial(trial('t1'));
    await store.putTrial(trial('t1', 2));
    expect(await store.getTrial('t1')).toEqual(trial('t1'));
    await store.putTrial({ ...trial('t2'), outcome: 'infra', infraReason: 'the supervisor died', evidence: null });
    await store.putTrial(trial('t2', 3));
    expect(await store.getTrial('t2')).toEqual(trial('t2', 3));
    expect(await store.getTrial('t3')).toBeNull();
    await store.putVerdict('r1', verdict('r1'));
    expect(await store.getVerdict('r1')).toEqual(verdict('r1'));
    expect(await store.getVerdict('r2')).toBeNull();
    for (const key of ['c2', 'c1', 'c2']) await store.putModelCall(key, 'r1', modelCall(key));
    expect(await store.getModelCall('c1')).toEqual(modelCall('c1'));
    expect(await store.getModelCall('c3')).toBeNull();
    expect((await store.listModelCalls('r1')).map((call) => call.promptHash)).toEqual(['c2', 'c1']);
  });

  it('lets nothing invalid in', async () => {
    await expect(store.upsertRun(run('r1', { updatedAt: 'yesterday' }))).rejects.toMatchObject({ code: 'internal' });
    await expect(store.putTrial({ ...trial('t'), index: -1 })).rejects.toThrow('index');
    await expect(store.putVerdict('r1', { ...verdict('r1'), verdict: 'sure' as Verdict['verdict'] })).rejects.toThrow('verdict');
    expect(await store.listRuns(10)).toEqual([]);
  });
});

describe('sqlite run store: file', () => {
  it('shows one process’s writes to another connection at once, and keeps them', async () => {
    const writer = new SqliteRunStore(file());
    const reader = new SqliteRunStore(file());
    await writer.upsertRun(run('r1'));
    expect((await reader.listRuns(1))[0]?.runId).toBe('r1');
    await reader.appendEvent('r1', 'k', { at: '2030-01-01T00:00:00.000Z', phase: 'p', message: 'm' });
    expect(await writer.listEvents('r1', 0)).toHaveLength(1);
    writer.close();
    reader.close();
    reader.close();
    const later = new SqliteRunStore(file());
    expect(await later.listRuns(5)).toHaveLength(1);
    later.close();
  });

  it('sets a database of a newer schema aside, with a message, and touches nothing in it', async () => {
    new SqliteRunStore(file()).close();
    const newer = new DatabaseSync(file());
    newer.exec(`CREATE TABLE future (x); PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    newer.close();
    const messages: string[] = [];
    const store = new SqliteRunStore(file(), (message) => messages.push(message));
    await store.upsertRun(run('r1'));
    store.close();
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('newer');
    const aside = new DatabaseSync(`${file()}.aside-1`, { readOnly: true });
    expect(aside.prepare('SELECT name FROM sqlite_master WHERE name = ?').get('future')).toBeDefined();
    aside.close();
  });

  it('sets a damaged database aside, again and again', async () => {
    for (const number of [1, 2]) {
      new SqliteRunStore(file()).close();
      await writeFile(file(), 'this is not a database, and longer than a header of one hundred bytes would be: '.repeat(3));
      const messages: string[] = [];
      new SqliteRunStore(file(), (message) => messages.push(message)).close();
      expect(messages[0]).toContain(`aside-${number}`);
    }
    expect((await readdir(join(scratch, 'state'))).filter((name) => /aside-\d$/.test(name))).toHaveLength(2);
  });

  it('names a record that was damaged in the file', async () => {
    const store = new SqliteRunStore(file());
    await store.putTrial(trial('t1'));
    const other = new DatabaseSync(file());
    other.exec(`UPDATE trials SET json = '{"schemaVersion":1}'`);
    other.close();
    await expect(store.getTrial('t1')).rejects.toThrow('Trial t1');
    store.close();
  });
});
