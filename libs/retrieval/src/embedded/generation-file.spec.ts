import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexName } from '@reenact/domain';
import { seededDraws } from '@reenact/domain';
import { sampleChunks } from '../testing/index.js';
import { createEmbeddedIndex } from './embedded-index.js';

let directory = '';
const NAME: IndexName = { repository: '../../etc/passwd', revision: 'a/b\n' };
const CHUNKS = sampleChunks({ seed: 1, files: 3, chunksPerFile: 8, dimensions: 32, pendingShare: 0.2 });

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'generation-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const publish = (name: IndexName, keep = { generations: 9, bytes: 2 ** 30 }) =>
  createEmbeddedIndex({ directory, keep }).publish(name, CHUNKS, { embedding: 'e' });
const openAgain = (name: IndexName) => createEmbeddedIndex({ directory }).open(name);

describe('a generation file', () => {
  it('bears no name of the repository, and nothing else is left beside it', async () => {
    await publish(NAME);
    expect(await readdir(directory)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.generation$/)]);
    expect(await (await openAgain(NAME))?.search({ tokens: ['w1'], vector: null, limit: 1 })).toMatchObject({ chunks: 24 });
  });

  it('is refused where any byte of it was changed, cut or added', async () => {
    await publish(NAME);
    const [name] = await readdir(directory);
    const file = path.join(directory, name ?? '');
    const whole = await readFile(file);
    const gap = { start: 20 + whole.readUInt32LE(12), end: Math.ceil((20 + whole.readUInt32LE(12)) / 64) * 64 };
    const random = seededDraws(2);
    const refused = expect.objectContaining({ code: 'index-damaged' });
    for (let time = 0; time < 60; time++) {
      const changed = Buffer.from(whole);
      const place = time < 20 ? time : Math.floor(random() * whole.length);
      changed[place] = (changed[place] ?? 0) ^ (1 + Math.floor(random() * 255));
      // The gap between header and arrays is the only part that says nothing.
      if (place < gap.start || place >= gap.end) {
        await writeFile(file, changed);
        await expect(openAgain(NAME)).rejects.toThrow(refused);
      }
      await writeFile(file, whole.subarray(0, place));
      await expect(openAgain(NAME)).rejects.toThrow(refused);
    }
    for (const other of [Buffer.concat([whole, Buffer.from([0])]), Buffer.alloc(0), Buffer.from('SQLite format 3\0')]) {
      await writeFile(file, other);
      await expect(openAgain(NAME)).rejects.toThrow(refused);
    }
    await publish(NAME);
    expect(await openAgain(NAME)).not.toBeNull();
  });

  it('is refused under the name of another revision', async () => {
    await publish(NAME);
    const [first] = await readdir(directory);
    await publish({ ...NAME, revision: 'other' });
    const second = (await readdir(directory)).find((name) => name !== first);
    await writeFile(path.join(directory, second ?? ''), await readFile(path.join(directory, first ?? '')));
    await expect(openAgain({ ...NAME, revision: 'other' })).rejects.toThrow(/belongs to another revision/);
  });

  it('goes when it was used longest ago and there are too many, or too many bytes', async () => {
    const names = ['a', 'b', 'c'].map((revision) => ({ repository: 'r', revision }));
    for (const name of names) await publish(name);
    for (const [place, name] of (await readdir(directory)).entries()) await utimes(path.join(directory, name), 1000 + place, 1000 + place);
    await (await openAgain({ repository: 'r', revision: 'b' }))?.close();
    const aside = path.join(directory, 'killed.aside');
    await writeFile(aside, 'half');
    await utimes(aside, 1000, 1000);
    await publish({ repository: 'r', revision: 'd' }, { generations: 2, bytes: 2 ** 30 });
    const open = await Promise.all(['a', 'b', 'c', 'd'].map(async (revision) => (await openAgain({ repository: 'r', revision })) !== null));
    expect(open).toEqual([false, true, false, true]);
    await publish({ repository: 'r', revision: 'e' }, { generations: 9, bytes: 1 });
    expect(await readdir(directory)).toHaveLength(1);
  });
});
