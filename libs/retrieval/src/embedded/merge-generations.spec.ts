import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { FiledChunks, SearchableChunk } from '@reenact/domain';
import { allChunks } from '../filed-chunks.js';
import { referenceSearch, sampleChunks } from '../testing/index.js';
import { createEmbeddedIndex } from './embedded-index.js';
import { createGenerationBuilder } from './generation-builder.js';
import { mergeGenerations } from './merge-generations.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function newIndex() {
  const directory = await mkdtemp(path.join(tmpdir(), 'merge-generations-'));
  folders.push(directory);
  return { directory, index: createEmbeddedIndex({ directory }) };
}

const OLD = { repository: 'r', revision: 'old' };
const NEW = { repository: 'r', revision: 'new' };
const QUERY = { tokens: ['w1', 'w2', 'w2', 'w7', 'w40', 'only_here'], vector: null, limit: 200, explain: true };
const PATHS = Array.from({ length: 8 }, (_unused, place) => `${place % 2 === 0 ? 'src' : 'tests'}/part_${place}.py`);

/** Every state that a file can be in, by its digest; the last has other kinds of chunks, a term too often for a byte, and an own one. */
const STATES = [1, 2, 3, 4].map((seed) => sampleChunks({ seed, files: 1, chunksPerFile: 2 + 3 * seed, dimensions: null, pendingShare: 0 }));

function chunksIn(file: string, state: number): SearchableChunk[] {
  return STATES[state]!.map((chunk, place) => ({
    ...chunk,
    file,
    id: `${PATHS.indexOf(file)}${state}${String(place).padStart(2, '0')}`.padStart(64, '0'),
    ...(state === 3 && place === 1 ? { kind: 'window' as const, tokens: { text: [...MANY, 'only_here'], name: [], path: [file] } } : {}),
  }));
}
const MANY = Array.from({ length: 300 }, () => 'w7');

/** A tree: of each file its state, null where there is none. */
type Tree = (number | null)[];

function filed(tree: Tree, mayRead: (file: string) => boolean = () => true): FiledChunks {
  const states = new Map(PATHS.flatMap((file, place) => (tree[place] == null ? [] : [[file, tree[place]] as const])));
  return {
    digests: new Map([...states].map(([file, state]) => [file, `state ${state}`])),
    chunksOf(file) {
      if (!mayRead(file)) throw new Error(`${file} was read`);
      return chunksIn(file, states.get(file)!);
    },
  };
}

const TREES = fc.array(fc.option(fc.nat(STATES.length - 1), { freq: 4 }), { minLength: PATHS.length, maxLength: PATHS.length });

describe('a revision that shares files with an earlier one', () => {
  it('ranks and explains as if it were made anew, and reads no file that it has', async () => {
    await fc.assert(
      fc.asyncProperty(TREES, TREES, TREES, async (...trees) => {
        const { index } = await newIndex();
        let before: Tree = [];
        for (const [round, tree] of trees.entries()) {
          const name = { repository: 'r', revision: String(round) };
          const known = before;
          await index.publish(
            name,
            filed(tree, (file) => tree[PATHS.indexOf(file)] !== known[PATHS.indexOf(file)]),
            { embedding: null },
          );
          const search = await index.open(name);
          expect(await search!.search(QUERY)).toEqual(referenceSearch([...allChunks(filed(tree))], QUERY));
          await search!.close();
          before = tree;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same file as one made anew, but for the order of its terms', async () => {
    const trees: Tree[] = [
      [0, 1, 2, 3, null, 1, 2, 3],
      [1, 1, null, 3, 0, 3, 2, 1],
    ];
    const sizes: number[] = [];
    for (const states of [[trees[0], trees[1], trees[0]], [trees[0]]]) {
      const { index, directory } = await newIndex();
      for (const tree of states) await index.publish(OLD, filed(tree!), { embedding: null });
      sizes.push((await stat(path.join(directory, (await readdir(directory))[0]!))).size);
    }
    expect(sizes[0]).toBe(sizes[1]);
  });

  it.each([
    ['it belongs to another repository', { repository: 'other', revision: 'old' }, filed([0, 1])],
    ['its files are not known by digests', OLD, [...allChunks(filed([0, 1]))]],
  ])('reads every file of an earlier one where %s', async (_why, name, chunks) => {
    const { index } = await newIndex();
    await index.publish(name, chunks, { embedding: null });
    await expect(
      index.publish(
        NEW,
        filed([0, 1], () => false),
        { embedding: null },
      ),
    ).rejects.toThrow('was read');
  });

  it('reads every file where the earlier one is damaged', async () => {
    const { index, directory } = await newIndex();
    await index.publish(OLD, filed([0, 1]), { embedding: null });
    await writeFile(path.join(directory, (await readdir(directory))[0]!), 'torn');
    await index.publish(NEW, filed([0, 1]), { embedding: null });
    const search = await index.open(NEW);
    expect(await search!.search(QUERY)).toEqual(referenceSearch([...allChunks(filed([0, 1]))], QUERY));
    await search!.close();
  });

  it('refuses a file that is kept and given anew', () => {
    const [earlier, fresh] = [0, 1].map((state) => {
      const builder = createGenerationBuilder();
      for (const chunk of chunksIn(PATHS[0]!, state)) builder.add(chunk);
      return builder.finish();
    });
    const from = { shape: { chunks: earlier!.chunks, kinds: earlier!.kinds }, sections: earlier!.sections };
    expect(() => mergeGenerations(from, new Set([PATHS[0]!]), fresh!)).toThrow('both kept and given anew');
  });
});
