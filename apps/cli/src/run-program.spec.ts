import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRow } from '@reenact/domain';
import { sampleVerdict } from '@reenact/reporting/testing';
import { loadConfiguration } from './config.js';
import { buildProgram } from './program.js';

import { openSession } from './runs/session.js';
import { recordingHost, runInProcess } from './testing/run-in-process.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'reenact-cli-'));
  process.env['REENACT_STATE'] = path.join(directory, 'state');
});

afterAll(async () => {
  delete process.env['REENACT_STATE'];
  await rm(directory, { recursive: true, force: true });
});

const call = (...argv: string[]) => runInProcess(directory, argv);

describe('usage', () => {
  it('suggests the nearest command', async () => {
    const answer = await call('lsit');
    expect(answer).toMatchObject({ status: 2, data: '' });
    expect(answer.talk).toContain('(Did you mean list?)');
  });

  it('begins the help of every command with an example that works', async () => {
    const program = buildProgram(recordingHost(directory).host);
    const names = program.commands.filter((command) => command.commands.length === 0).map((command) => command.name());
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) {
      const { status, data } = await call(name, '--help');
      expect(status).toBe(0);
      expect(data).toMatch(new RegExp(`^Examples?:\n {2}\\./reenact ${name}`));
      expect(data).toContain('--json');
    }
  });

  it.each([
    ['an unknown option', ['list', '--wrong']],
    ['a missing argument', ['show']],
    ['a number out of bounds', ['extend', 'x', '--attempts', '0']],
    ['a budget below zero', ['run', '--budget-usd', '-1']],
    ['no case', ['run']],
    ['an unknown run', ['show', 'nope']],
    ['a missing bundle', ['replay', 'nope.tar']],
  ])('ends with 2 for %s', async (_, argv) => {
    const answer = await call(...argv);
    expect(answer).toMatchObject({ status: 2, data: '' });
    expect(answer.talk).not.toBe('');
  });

  it('ends with 3 for a wrong configuration, but still shows it', async () => {
    process.env['LLM_API'] = 'telepathy';
    try {
      expect(await call('list')).toMatchObject({ status: 3, data: '' });
      expect((await call('config', 'show', '--json')).status).toBe(0);
    } finally {
      delete process.env['LLM_API'];
    }
  });
});

describe('looking at runs', () => {
  beforeAll(async () => {
    const session = openSession(loadConfiguration(), () => undefined);
    const row: RunRow = {
      runId: 'loss-turns-nan-1a2b3c',
      workflowId: 'repro/a/b',
      title: 'Loss turns NaN',
      phase: 'done',
      state: 'done',
      verdict: 'reproduced',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:01:00.000Z',
      folder: path.join(directory, 'state/runs/loss-turns-nan-1a2b3c'),
    };
    await session.runs.upsertRun(row);
    await session.runs.appendEvent(row.runId, 'run-0', { at: row.createdAt, phase: 'intake', message: 'reading the report' });
    await session.runs.putVerdict(row.runId, sampleVerdict());
    session.close();
  });

  it('lists, shows and tells them as text', async () => {
    expect((await call('list')).data).toBe(
      'run                    state       started (UTC)     report\nloss-turns-nan-1a2b3c  reproduced  2026-01-01 00:00  Loss turns NaN\n',
    );
    expect((await call('show', 'loss')).data).toContain('✔ reproduced\n');
    expect(await call('logs', 'loss')).toMatchObject({ status: 0, data: '  0:00  intake      reading the report\n' });
  });

  it('gives exactly one object as JSON', async () => {
    expect(JSON.parse((await call('show', 'loss', '--json')).data)).toEqual(sampleVerdict());
    expect(JSON.parse((await call('list', '--json')).data)).toMatchObject({ schemaVersion: 1, runs: [{ runId: 'loss-turns-nan-1a2b3c' }] });
    expect(JSON.parse((await call('logs', 'loss', '--json')).data)).toMatchObject({ events: [{ message: 'reading the report' }] });
  });

  it('refuses to open a run without a bundle', async () => {
    expect(await call('open', 'loss')).toMatchObject({ status: 2, talk: expect.stringContaining('[bundle-invalid]') as string });
  });

  it('gives the address of a page, where there is one', async () => {
    const folder = path.join(directory, 'state/runs/loss-turns-nan-1a2b3c');
    expect(await call('open', 'loss', '--page')).toMatchObject({ status: 2, talk: expect.stringContaining('no page') as string });
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'result.html'), '');
    expect((await call('open', 'loss', '--page')).data).toBe(`${pathToFileURL(path.join(folder, 'result.html')).href}\n`);
  });
});
