import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSameProcess, stopTemporalServer } from '@reenact/temporal/server';
import { loadConfiguration } from '../config.js';
import { ensureEngine } from './engine.js';
import { findWorker, stopWorker } from './ensure-worker.js';

/** The built worker on a real Temporal server, in a state directory of its own. */
let stateDirectory: string;
const messages: string[] = [];

function configuration(idleMinutes: number) {
  return { ...loadConfiguration(), stateDirectory, idleMinutes, temporal: { ...loadConfiguration().temporal, address: null }, model: null };
}

async function workerOf() {
  const worker = await findWorker(stateDirectory);
  if (worker === null) throw new Error('no worker lives');
  return worker;
}

beforeAll(async () => {
  stateDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-engine-'));
});

afterAll(async () => {
  await stopWorker(stateDirectory);
  await stopTemporalServer(stateDirectory);
  await rm(stateDirectory, { recursive: true, force: true });
});

describe('ensureEngine', () => {
  const report = (message: string) => void messages.push(message);

  it('shares one server and one worker between callers at the same time', async () => {
    const engines = await Promise.all([1, 2, 3].map(() => ensureEngine(configuration(5), report)));
    await engines[0]?.ready();
    expect(new Set(engines.map((engine) => engine.server.address)).size).toBe(1);
    expect(engines.filter((engine) => engine.server.started)).toHaveLength(1);
    await Promise.all(engines.map((engine) => engine.close()));
  });

  it('starts a worker again that was killed, and only then', async () => {
    const engine = await ensureEngine(configuration(5), report);
    const first = await workerOf();
    await engine.heal();
    expect(await workerOf()).toEqual(first);
    process.kill(first.pid, 'SIGKILL');
    while (await isSameProcess(first)) await new Promise((resolve) => setTimeout(resolve, 20));
    await engine.heal();
    await engine.ready();
    expect((await workerOf()).pid).not.toBe(first.pid);
    expect(messages.at(-1)).toContain('The worker had ended');
    await engine.close();
  });

  it('replaces an idle worker of another configuration, and ends nothing but what it started', async () => {
    const first = await workerOf();
    const engine = await ensureEngine(configuration(6), report);
    expect(await isSameProcess(first)).toBe(false);
    await engine.ready();
    await engine.close();
    const second = await workerOf();
    expect(await stopWorker(stateDirectory)).toBe(true);
    expect(await isSameProcess(second)).toBe(false);
    expect(await stopWorker(stateDirectory)).toBe(false);
  });
});
