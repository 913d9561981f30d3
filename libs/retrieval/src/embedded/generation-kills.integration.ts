import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawnSourceProcess } from '@reenact/store/testing';
import { createEmbeddedIndex } from './embedded-index.js';

const KILLS = 16;
const SOURCES = path.dirname(fileURLToPath(import.meta.url));
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'generation-kills-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Publishes two states of one revision in turn, without end; each has a number of chunks of its own. */
const PUBLISHER = `
import { writeSync } from 'node:fs';
import { createEmbeddedIndex } from './embedded-index.ts';
import { sampleChunks } from '../testing/sample-chunks.ts';
const index = createEmbeddedIndex({ directory: DIRECTORY });
const states = [40, 80].map((chunksPerFile) => sampleChunks({ seed: 1, files: 10, chunksPerFile, dimensions: 64, pendingShare: 0 }));
for (let turn = 0; ; turn += 1) {
  await index.publish({ repository: 'r', revision: 'main' }, states[turn % 2], { embedding: 'e', analysis: 'a' });
  writeSync(1, 'published\\n');
}`;

it('holds one whole state after a kill at any moment, and publishes again', async () => {
  const seen = new Set<number>();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawnSourceProcess(PUBLISHER.replace('DIRECTORY', JSON.stringify(directory)), SOURCES);
    for (let turn = 0; turn <= kill % 2; turn++) await once(child.stdout ?? child, 'data');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const search = await createEmbeddedIndex({ directory }).open({ repository: 'r', revision: 'main' });
    const answer = await search?.search({ tokens: ['w1'], vector: null, limit: 1 });
    await search?.close();
    seen.add(answer?.chunks ?? 0);
  }
  expect([...seen].sort()).toEqual([400, 800]);
  const left = (await readdir(directory)).filter((name) => !name.endsWith('.aside'));
  expect(left).toHaveLength(1);
}, 300_000);
