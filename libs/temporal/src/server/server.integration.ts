import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { spawnModuleProcess } from '@reenact/store/testing';
import { connectTemporal, SEARCH_ATTRIBUTES } from '../client/index.js';
import { startTestWorker, untilHistoryHas } from '../testing/test-worker.js';
import { waitingWorkflow } from '../testing/workflows.js';
import { ensureTemporalServer, findTemporalServer } from './ensure-server.js';
import type { TemporalServer, TemporalServerConfig } from './ensure-server.js';
import { processStartTime } from './process-identity.js';
import { serverPaths } from './server-paths.js';
import { readServerState, writeServerState } from './server-state.js';
import { stopTemporalServer } from './stop-server.js';
import { resolveTemporalCli } from './temporal-cli.js';

const SOURCES = dirname(fileURLToPath(import.meta.url));
const NAMESPACE = 'default';

let toolsDirectory = '';
let cliPath = '';
let stateDirectory = '';
let messages: string[] = [];

beforeAll(async () => {
  toolsDirectory = await mkdtemp(join(tmpdir(), 'temporal-tools-'));
  const search = {
    cliPath: undefined,
    searchPath: process.env['PATH'] ?? '',
    pythonPath: undefined,
    toolsDirectory,
    report: () => undefined,
  };
  cliPath = (await resolveTemporalCli(search)).path;
});
afterAll(() => rm(toolsDirectory, { recursive: true, force: true }));

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'temporal-state-'));
  messages = [];
});
afterEach(async () => {
  await stopTemporalServer(stateDirectory);
  await rm(stateDirectory, { recursive: true, force: true });
});

function config(changes: Partial<TemporalServerConfig> = {}): TemporalServerConfig {
  return { stateDirectory, namespace: NAMESPACE, cliPath, searchPath: '', report: (message) => messages.push(message), ...changes };
}

async function recordedPid(): Promise<number> {
  const state = await readServerState(serverPaths(stateDirectory).stateFile);
  if (state?.process == null) throw new Error('no process is recorded');
  return state.process.pid;
}

async function killServer(): Promise<void> {
  const pid = await recordedPid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => processStartTime(pid), { timeout: 10_000 }).toBeNull();
}

describe('ensureTemporalServer', () => {
  it('starts a server with UI and search attributes, and adopts it afterwards', async () => {
    const first = await ensureTemporalServer(config());
    expect(first).toMatchObject({ started: true, owned: true, searchAttributes: { missing: [], mistyped: [] } });
    expect((await fetch(first.uiUrl ?? '')).status).toBe(200);
    const second = await ensureTemporalServer(config({ cliPath: '/does/not/exist' }));
    expect(second).toMatchObject({ address: first.address, uiUrl: first.uiUrl, started: false, owned: true });
  });

  it('serves a second namespace on the same server', async () => {
    const first = await ensureTemporalServer(config());
    const second = await ensureTemporalServer(config({ namespace: 'another' }));
    expect(second).toMatchObject({ address: first.address, started: false, searchAttributes: { missing: [] } });
  });

  it('gives one server to two processes that start at once', async () => {
    const code = `import { ensureTemporalServer } from './ensure-server.js';
      const server = await ensureTemporalServer({ ...${JSON.stringify({ stateDirectory, namespace: NAMESPACE, cliPath, searchPath: '' })}, report: () => {} });
      console.log(JSON.stringify(server));`;
    const servers = await Promise.all([1, 2, 3].map(() => outputOf(code)));
    expect(new Set(servers.map(({ address }) => address)).size).toBe(1);
    expect(servers.filter(({ started }) => started)).toHaveLength(1);
  });

  it('keeps a workflow over a killed server, on the same address', async () => {
    const first = await ensureTemporalServer(config());
    const worker = await startTestWorker(first);
    const temporal = await connectTemporal(first);
    const typedSearchAttributes = [{ key: SEARCH_ATTRIBUTES.bugKey, value: 'some-key' }];
    const start = { taskQueue: 'reenact-workflows', workflowId: 'survivor', args: ['a'] as [string], typedSearchAttributes };
    const handle = await temporal.client.workflow.start(waitingWorkflow, start);
    await untilHistoryHas(handle, 'activityTaskCompletedEventAttributes');
    await killServer();
    const second = await ensureTemporalServer(config());
    expect(second).toMatchObject({ started: true, address: first.address, uiUrl: first.uiUrl });
    await handle.signal('goOn');
    expect(await handle.result()).toMatch(/^a!! [0-9a-f]{8}$/);
    await temporal.close();
    await worker.stop();
    expect(messages).toEqual([]);
  });

  it('adds search attributes that an older database lacks', async () => {
    const server = await ensureTemporalServer(config());
    const temporal = await connectTemporal(server);
    await temporal.connection.operatorService.removeSearchAttributes({ namespace: NAMESPACE, searchAttributes: ['CostUsd'] });
    await temporal.close();
    expect((await ensureTemporalServer(config())).searchAttributes.missing).toEqual([]);
    const listed = await ensureTemporalServer(config({ existing: { address: server.address } }));
    expect(listed).toMatchObject({ owned: false, started: false, uiUrl: null, searchAttributes: { missing: [] } });
  });

  it('sets a database aside that the server can not use, with a message', async () => {
    await ensureTemporalServer(config());
    await stopTemporalServer(stateDirectory);
    const { databaseFile, directory } = serverPaths(stateDirectory);
    for (const name of await readdir(directory)) if (name.startsWith('temporal.db')) await rm(join(directory, name));
    await writeFile(databaseFile, 'this is no database at all, but it is somebody’s');
    expect((await ensureTemporalServer(config())).started).toBe(true);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('set aside');
    expect(await readFile(`${databaseFile}.aside-1`, 'utf8')).toContain('somebody’s');
  });

  it('puts the database back when the program itself does not start', async () => {
    const { databaseFile } = serverPaths(stateDirectory);
    await ensureTemporalServer(config());
    await stopTemporalServer(stateDirectory);
    const broken = join(stateDirectory, 'temporal');
    await rm(join(stateDirectory, 'broken'), { force: true });
    await writeFile(
      join(stateDirectory, 'broken'),
      '#!/bin/sh\n[ "$1" = --version ] && echo "temporal version 9.9.9" && exit 0\necho "Error: no" >&2\nexit 1\n',
      {
        mode: 0o755,
      },
    );
    const sizeBefore = (await stat(databaseFile)).size;
    await expect(ensureTemporalServer(config({ cliPath: join(stateDirectory, 'broken') }))).rejects.toMatchObject({
      code: 'temporal-unreachable',
    });
    expect((await stat(databaseFile)).size).toBe(sizeBefore);
    expect((await readdir(broken)).filter((name) => name.includes('aside'))).toEqual([]);
    expect(await ensureTemporalServer(config())).toMatchObject({ started: true });
  });
});

describe('a server that is not recorded', () => {
  it('is ended before another one starts on the same database, and by a stop', async () => {
    await ensureTemporalServer(config());
    const first = await recordedPid();
    await rm(serverPaths(stateDirectory).stateFile);
    expect(await ensureTemporalServer(config())).toMatchObject({ started: true });
    expect(await processStartTime(first)).toBeNull();
    const second = await recordedPid();
    await rm(serverPaths(stateDirectory).stateFile);
    expect(await stopTemporalServer(stateDirectory)).toBe('stopped');
    expect(await processStartTime(second)).toBeNull();
  });
});

describe('stopTemporalServer', () => {
  it('ends the server and is content to find none', async () => {
    await ensureTemporalServer(config());
    const pid = await recordedPid();
    expect(await stopTemporalServer(stateDirectory, { onlyIf: () => Promise.resolve(false) })).toBe('kept');
    expect(await stopTemporalServer(stateDirectory)).toBe('stopped');
    expect(await processStartTime(pid)).toBeNull();
    expect(await stopTemporalServer(stateDirectory)).toBe('not-running');
    expect(await findTemporalServer(config())).toBeNull();
  });

  it('never touches a process that only has the recorded pid', async () => {
    await ensureTemporalServer(config());
    await stopTemporalServer(stateDirectory);
    const { stateFile } = serverPaths(stateDirectory);
    const state = await readServerState(stateFile);
    if (state === null) throw new Error('no state');
    await writeServerState(stateFile, { ...state, process: { pid: process.pid, startTime: 'another boot:1' } });
    expect(await stopTemporalServer(stateDirectory)).toBe('not-running');
  });
});

async function outputOf(code: string): Promise<TemporalServer> {
  const child = spawnModuleProcess(code, SOURCES);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(output) as TemporalServer;
}
