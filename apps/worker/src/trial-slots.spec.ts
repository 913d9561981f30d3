import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUEUES } from '@reenact/domain';
import { SandboxConfiguration } from '@reenact/domain/schemas';
import { trialSlots } from './trial-slots.js';

describe('trialSlots', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'reenact-slots-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const clusterOf = async (settings: object): Promise<SandboxConfiguration> => {
    const file = path.join(directory, 'cluster.json');
    const image = `localhost/reenact/run@sha256:${'0'.repeat(64)}`;
    const pools = [{ name: 'cpu', cpuMillis: 1000, mostMemoryBytes: 2 ** 30 }];
    await writeFile(file, JSON.stringify({ images: [{ interpreter: '/usr/bin/python3', image }], pools, ...settings }));
    return SandboxConfiguration.parse({ type: 'kubernetes', settings: file });
  };

  it('leaves trials of this machine to its cores', async () => {
    expect(await trialSlots({ type: 'local' })).toEqual({});
  });

  it('of a cluster are what its settings say, else 64', async () => {
    expect(await trialSlots(await clusterOf({}))).toEqual({ [QUEUES.jobsCpu]: 64 });
    expect(await trialSlots(await clusterOf({ concurrency: 300 }))).toEqual({ [QUEUES.jobsCpu]: 300 });
  });

  it('cannot be none', async () => {
    await expect(trialSlots(await clusterOf({ concurrency: 0 }))).rejects.toMatchObject({ code: 'config-invalid' });
  });
});
