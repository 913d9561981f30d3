import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { SearchableChunk } from '@reenact/domain';
import { referenceSearch, sampleChunks } from '../testing/index.js';
import { createEmbeddedIndex } from './embedded-index.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function newIndex() {
  const directory = await mkdtemp(path.join(tmpdir(), 'earlier-chunks-'));
  folders.push(directory);
  return { directory, index: createEmbeddedIndex({ directory }) };
}

const OLD = { repository: 'r', revision: 'old' };
const NEW = { repository: 'r', revision: 'new' };
const BEFORE = sampleChunks({ seed: 5, files: 6, chunksPerFile: 9, dimensions: 8, pendingShare: 0.2 });
const OTHER = sampleChunks({ seed: 6, files: 6, chunksPerFile: 9, dimensions: 8, pendingShare: 0.2 });
const QUERY = { tokens: ['w1', 'w2', 'w2', 'w7', 'w40', 'only_here'], limit: 100, explain: true };
const VECTOR = BEFORE.find(({ vector }) => vector !== null)!.vector;

/** A chunk whose tokens and text nobody may ask for. */
function sealed(chunk: SearchableChunk): SearchableChunk {
  const refuse = (): never => {
    throw new Error(`the chunk at ${chunk.file}:${chunk.startLine} was read`);
  };
  const { id, file, kind, name, startLine, endLine, vector } = chunk;
  return {
    ...{ id, file, kind, name, startLine, endLine, vector },
    get text() {
      return refuse();
    },
    get tokens() {
      return refuse();
    },
  };
}

const MANY_TIMES = Array.from({ length: 300 }, () => 'w7');
function idOf(place: number): string {
  return String(place).padStart(64, '0');
}

/** What happens to a chunk of the earlier revision; only `keep` lets its terms be taken over. */
const EDITS = ['keep', 'keep', 'keep', 'drop', 'rename', 'rekind', 'replace', 'many'] as const;

function edited(edits: readonly (typeof EDITS)[number][]): { chunks: SearchableChunk[]; given: SearchableChunk[] } {
  const [chunks, given]: [SearchableChunk[], SearchableChunk[]] = [[], []];
  const put = (chunk: SearchableChunk, shown = chunk): void => {
    chunks.push(chunk);
    given.push(shown);
  };
  for (const [place, chunk] of BEFORE.entries()) {
    const edit = edits[place] ?? 'keep';
    if (edit === 'keep') put(chunk, sealed(chunk));
    if (edit === 'rename') put({ ...chunk, name: 'other', tokens: { ...chunk.tokens, name: ['other', 'only_here'] } });
    if (edit === 'rekind') put({ ...chunk, kind: 'window', tokens: { ...chunk.tokens, name: [] } });
    if (edit === 'replace') put(OTHER[place]!);
    if (edit === 'many') put({ ...OTHER[place]!, id: idOf(place), tokens: { text: MANY_TIMES, name: [], path: [] } });
  }
  return { chunks, given };
}

describe('a revision that shares chunks with an earlier one', () => {
  it('ranks and explains as if it were made anew, and asks for no token that it has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...EDITS), { minLength: BEFORE.length, maxLength: BEFORE.length }), async (edits) => {
        const { index } = await newIndex();
        const { chunks, given } = edited(edits);
        const first = edited(edits.toReversed()).chunks;
        await index.publish(OLD, [...BEFORE, ...first.filter(({ id }) => BEFORE.every((chunk) => chunk.id !== id))], {
          embedding: 'e',
          analysis: 'a',
        });
        await index.publish(NEW, given, { embedding: 'e', analysis: 'a' });
        const search = await index.open(NEW);
        for (const vector of [null, VECTOR]) {
          const answer = await search!.search({ ...QUERY, vector });
          const expected = referenceSearch(chunks, { ...QUERY, vector });
          expect(answer.hits.map(({ id, terms }) => ({ id, terms }))).toEqual(expected.hits.map(({ id, terms }) => ({ id, terms })));
          expect(answer.maximum).toBeCloseTo(expected.maximum, 9);
        }
        await search!.close();
      }),
      { numRuns: 40 },
    );
  });

  it('goes on from revision to revision, and keeps no term that nothing holds', async () => {
    const { index, directory } = await newIndex();
    const sizes: number[] = [];
    for (const chunks of [BEFORE, OTHER, BEFORE]) {
      await index.publish(OLD, chunks, { embedding: null, analysis: 'a' });
      const search = await index.open(OLD);
      expect(await search!.search({ ...QUERY, vector: null })).toEqual(referenceSearch(chunks, { ...QUERY, vector: null }));
      await search!.close();
      const { size } = await stat(path.join(directory, (await readdir(directory))[0]!));
      sizes.push(size);
    }
    expect(sizes[2]).toBe(sizes[0]);
  });

  it('takes a chunk over once, and reads one that comes twice', async () => {
    const { index } = await newIndex();
    await index.publish(OLD, BEFORE, { embedding: null, analysis: 'a' });
    const twice = [...BEFORE, BEFORE[0]!];
    await index.publish(NEW, twice, { embedding: null, analysis: 'a' });
    const search = await index.open(NEW);
    expect(await search!.search({ ...QUERY, vector: null })).toEqual(referenceSearch(twice, { ...QUERY, vector: null }));
    await search!.close();
  });

  it.each([
    ['other code made the tokens', OLD, 'a', 'b'],
    ['it is not known what made them', OLD, 'a', undefined],
    ['it belongs to another repository', { repository: 'other', revision: 'old' }, 'a', 'a'],
  ])('reads every chunk where %s', async (_why, name, before, after) => {
    const { index } = await newIndex();
    await index.publish(name, BEFORE, { embedding: null, analysis: before });
    const given = [sealed(BEFORE[0]!)];
    await expect(index.publish(NEW, given, { embedding: null, ...(after === undefined ? {} : { analysis: after }) })).rejects.toThrow(
      'was read',
    );
  });

  it('reads every chunk where the earlier one is damaged', async () => {
    const { index, directory } = await newIndex();
    await index.publish(OLD, BEFORE, { embedding: null, analysis: 'a' });
    await writeFile(path.join(directory, (await readdir(directory))[0]!), 'torn');
    await index.publish(NEW, OTHER, { embedding: null, analysis: 'a' });
    const search = await index.open(NEW);
    expect((await search!.search({ ...QUERY, vector: null })).chunks).toBe(OTHER.length);
    await search!.close();
  });
});
