import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChunkFilter, ChunkIndex, ChunkSearch, IndexName, SearchableChunk, SearchAnswer, SearchRequest } from '@reenact/domain';
import { seededDraws } from '@reenact/domain';
import { unitVector } from './unit-vector.js';
import { referenceSearch } from './reference-search.js';
import { sampleChunks, sampleWords } from './sample-chunks.js';

/** How close an engine has to come to the formula. */
export interface ContractOptions {
  /** Least share of the reference's top 20 that the engine's top 20 holds, as a mean over queries; 1 asks for the same order as well. */
  overlap: number;
  /** Largest difference of a hit's score and similarity, and largest relative difference of raw BM25, from the reference. */
  tolerance: number;
}

/** An engine under test, and how to end it. */
export interface IndexUnderTest {
  index: ChunkIndex;
  close(): Promise<void>;
}

const LIMIT = 20;
const SHAPES = {
  small: { dimensions: 32, pendingShare: 0 },
  wide: { dimensions: 384, pendingShare: 0 },
  partly: { dimensions: 64, pendingShare: 0.3 },
};

/**
 * What every `ChunkIndex` must do, over seeded chunks and beside the formula written out. `create` is called once; every test
 * publishes under a repository of its own.
 */
export function describeChunkIndex(name: string, create: () => Promise<IndexUnderTest>, options: ContractOptions): void {
  describe(`${name} as a chunk index`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = openBench(await create(), options);
    });
    afterAll(async () => bench.close());
    describeRanking(() => bench);
    describeEdges(() => bench);
    describeFilters(() => bench);
    describePublishing(() => bench);
  });
}

function describeRanking(bench: () => Bench): void {
  for (const [shape, { dimensions, pendingShare }] of Object.entries(SHAPES)) {
    const chunks = sampleChunks({ seed: 7, files: 15, chunksPerFile: 24, dimensions, pendingShare });
    it(`ranks ${shape} vectors and words together by the formula, pending chunks with the mean similarity`, async () => {
      await bench().compareMany(chunks, requestsOver(chunks, dimensions), { embedding: 'sample' });
    });
    it(`takes words alone with alpha 0, and ${shape} vectors alone with alpha 1`, async () => {
      const requests = requestsOver(chunks, dimensions);
      await bench().compareMany(
        chunks,
        [0, 1].flatMap((alpha) => requests.slice(0, 4).map((request) => ({ ...request, alpha }))),
        { embedding: 'sample' },
      );
    });
  }

  it('searches words alone where no vector is asked, and where no chunk has one', async () => {
    const chunks = sampleChunks({ seed: 8, files: 12, chunksPerFile: 24, dimensions: 32, pendingShare: 0.1 });
    const requests = requestsOver(chunks, 32);
    await bench().compareMany(
      chunks,
      requests.map((request) => ({ ...request, vector: null })),
      { embedding: 'sample' },
    );
    const bare = chunks.map((chunk) => ({ ...chunk, vector: null }));
    await bench().compareMany(bare, requests.slice(0, 4), { embedding: null });
  });
}

function describeEdges(bench: () => Bench): void {
  it('tells how each score came about, and its terms add up', async () => {
    const chunks = sampleChunks({ seed: 9, files: 10, chunksPerFile: 24, dimensions: 32, pendingShare: 0 });
    const [request] = requestsOver(chunks, 32);
    const asked = { ...required(request), explain: true };
    const answer = await bench().answer(chunks, asked);
    const { tolerance } = bench().options;
    const expected = new Map(referenceSearch(chunks, { ...asked, limit: chunks.length }).hits.map((hit) => [hit.id, hit]));
    expect(answer.hits.length).toBeGreaterThan(0);
    for (const hit of answer.hits) {
      const terms = required(hit.terms);
      expect(terms.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(hit.lexical, 3);
      expect(terms.map(({ score }) => score)).toEqual(terms.map(({ score }) => score).sort((left, right) => right - left));
      const pick = (list: typeof terms) => list.map(({ term, times, frequency }) => ({ term, times, frequency })).sort(byTerm);
      expect(pick(terms)).toEqual(pick(expected.get(hit.id)?.terms ?? []));
      for (const { term, inverseDocumentFrequency } of terms) {
        const twin = expected.get(hit.id)?.terms?.find((other) => other.term === term);
        expect(Math.abs(inverseDocumentFrequency - (twin?.inverseDocumentFrequency ?? 0))).toBeLessThanOrEqual(tolerance + 1e-9);
      }
    }
    expect((await bench().answer(chunks, required(request))).hits[0]?.terms).toBeUndefined();
  });

  it('puts equal scores in the order of file and line', async () => {
    const [first] = sampleChunks({ seed: 10, files: 1, chunksPerFile: 1, dimensions: 32, pendingShare: 0 });
    const model = required(first);
    const places = ['b.py', 'a.py', 'c.py'].flatMap((file) =>
      [30, 10, 20].map((startLine) => ({ file, startLine, endLine: startLine + 5 })),
    );
    const chunks = places.map((place, number) => ({ ...model, ...place, id: `${number}`.padStart(64, '0') }));
    const answer = await bench().answer(chunks, { tokens: model.tokens.text, vector: model.vector, limit: 5 });
    expect(answer.hits.map((hit) => `${hit.file}:${hit.startLine}`)).toEqual(['a.py:10', 'a.py:20', 'a.py:30', 'b.py:10', 'b.py:20']);
  });

  it('takes nothing from unknown words, gives no more than the limit, and nothing from an empty index', async () => {
    const chunks = sampleChunks({ seed: 11, files: 4, chunksPerFile: 10, dimensions: 32, pendingShare: 0 });
    const unknown = await bench().answer(chunks, { tokens: ['nowhere', 'neither'], vector: null, limit: LIMIT });
    expect(unknown).toMatchObject({ hits: [], maximum: 0, meanSimilarity: null, chunks: 40, pending: 0 });
    const near = await bench().answer(chunks, { tokens: ['nowhere'], vector: required(chunks[0]?.vector), limit: 3 });
    expect([near.hits[0]?.id, near.hits.length, near.maximum]).toEqual([chunks[0]?.id, 3, 0]);
    const empty = await bench().answer([], { tokens: ['w1'], vector: null, limit: LIMIT });
    expect(empty).toEqual({ hits: [], maximum: 0, meanSimilarity: null, chunks: 0, pending: 0 });
  });
}

function describeFilters(bench: () => Bench): void {
  const chunks = sampleChunks({ seed: 12, files: 15, chunksPerFile: 20, dimensions: 32, pendingShare: 0 });
  const filters: Record<string, ChunkFilter> = {
    'a folder': { paths: ['src'] },
    'a file and a folder': { paths: ['src/net/part_000.py', 'tools'] },
    kinds: { kinds: ['class', 'method'] },
    'no tests': { withoutTests: true },
    'all of them': { paths: ['src/net', 'tests'], kinds: ['function', 'run'], withoutTests: true },
  };
  it.each(Object.entries(filters))('searches %s only, and takes the maximum there', async (_, filter) => {
    const requests = requestsOver(chunks, 32).slice(0, 6);
    await bench().compareMany(
      chunks,
      requests.map((request) => ({ ...request, filter })),
      { embedding: 'sample' },
    );
  });

  it('finds nothing where nothing passes', async () => {
    const answer = await bench().answer(chunks, { tokens: ['w1'], vector: null, limit: LIMIT, filter: { paths: ['absent'] } });
    expect(answer).toEqual({ hits: [], maximum: 0, meanSimilarity: null, chunks: 0, pending: 0 });
  });
}

function describePublishing(bench: () => Bench): void {
  const [before, after] = [13, 14].map((seed) => sampleChunks({ seed, files: 3, chunksPerFile: 10, dimensions: 32, pendingShare: 0 }));
  const request: SearchRequest = { tokens: ['w1', 'w2', 'w3'], vector: null, limit: LIMIT };
  const ids = (answer: SearchAnswer): string[] => answer.hits.map(({ id }) => id).sort();

  it('replaces a revision as a whole, while an open one stays as it was', async () => {
    const name = bench().nextName();
    await bench().publish(name, required(before));
    const old = required(await bench().index.open(name));
    const first = await old.search(request);
    await bench().publish(name, required(after));
    expect(ids(await old.search(request))).toEqual(ids(first));
    await old.close();
    const opened = required(await bench().index.open(name));
    expect(ids(await opened.search(request))).toEqual(ids(referenceSearch(required(after), request)));
    await opened.close();
  });

  it('keeps the old revision where making a new one fails or is given up', async () => {
    const name = bench().nextName();
    await bench().publish(name, required(before));
    const broken = (function* () {
      yield* required(after).slice(0, 5);
      throw new Error('no more');
    })();
    await expect(bench().index.publish(name, broken, { embedding: 'sample' })).rejects.toThrow('no more');
    const given = bench().index.publish(name, required(after), { embedding: 'sample', signal: AbortSignal.abort() });
    await expect(given).rejects.toThrow();
    const opened = required(await bench().index.open(name));
    expect(ids(await opened.search(request))).toEqual(ids(referenceSearch(required(before), request)));
    await expect(opened.search(request, { signal: AbortSignal.abort() })).rejects.toThrow();
    await opened.close();
  });

  it('keeps revisions and repositories apart, whatever their names', async () => {
    const { repository } = bench().nextName();
    const names = [
      { repository, revision: 'main' },
      { repository, revision: 'feature/../main' },
      { repository: `${repository}/../../x Y`, revision: 'main' },
    ];
    for (const name of names) await bench().publish(name, required(before).slice(0, 1 + names.indexOf(name)));
    const sizes = await Promise.all(names.map(async (name) => (await bench().searchOnce(name, request)).chunks));
    expect(sizes).toEqual([1, 2, 3]);
  });

  it('opens nothing under an unknown name, and nothing any more after its removal', async () => {
    const name = bench().nextName();
    expect(await bench().index.open(name)).toBeNull();
    await bench().index.remove(name);
    await bench().publish(name, required(before));
    await bench().index.remove(name);
    expect(await bench().index.open(name)).toBeNull();
  });
}

/** An engine with the checks that the tests share. */
interface Bench {
  index: ChunkIndex;
  options: ContractOptions;
  nextName(): IndexName;
  publish(name: IndexName, chunks: SearchableChunk[]): Promise<void>;
  searchOnce(name: IndexName, request: SearchRequest): Promise<SearchAnswer>;
  /** Publishes under a new name, asks once. */
  answer(chunks: SearchableChunk[], request: SearchRequest): Promise<SearchAnswer>;
  /** Publishes under a new name and holds every answer against the reference. */
  compareMany(chunks: SearchableChunk[], requests: SearchRequest[], published: { embedding: string | null }): Promise<void>;
  close(): Promise<void>;
}

let benches = 0;

function openBench({ index, close }: IndexUnderTest, options: ContractOptions): Bench {
  const bench = ++benches;
  let names = 0;
  const withOpen = async <T>(name: IndexName, work: (search: ChunkSearch) => Promise<T>): Promise<T> => {
    const search = required(await index.open(name));
    try {
      return await work(search);
    } finally {
      await search.close();
    }
  };
  const nextName = (): IndexName => ({ repository: `contract ${process.pid} ${bench} ${++names}`, revision: 'main' });
  const publish = (name: IndexName, chunks: SearchableChunk[]) => index.publish(name, chunks, { embedding: 'sample' });
  const searchOnce = (name: IndexName, request: SearchRequest) => withOpen(name, (search) => search.search(request));
  return {
    index,
    options,
    nextName,
    publish,
    searchOnce,
    async answer(chunks, request) {
      const name = nextName();
      await publish(name, chunks);
      return searchOnce(name, request);
    },
    async compareMany(chunks, requests, published) {
      const name = nextName();
      await index.publish(name, chunks, published);
      const overlaps = await withOpen(name, async (search) => {
        const shares: number[] = [];
        for (const request of requests) shares.push(compare(await search.search(request), chunks, request, options));
        return shares;
      });
      expect(overlaps.reduce((sum, share) => sum + share, 0) / overlaps.length).toBeGreaterThanOrEqual(options.overlap);
    },
    async close() {
      await close();
    },
  };
}

/** Holds an answer against the reference; the share of the reference's hits that it has. */
function compare(answer: SearchAnswer, chunks: SearchableChunk[], request: SearchRequest, options: ContractOptions): number {
  const { tolerance } = options;
  const whole = referenceSearch(chunks, { ...request, limit: chunks.length });
  const expected = whole.hits.slice(0, request.limit);
  expect(answer.hits.length).toBe(expected.length);
  expect([answer.chunks, answer.pending]).toEqual([whole.chunks, whole.pending]);
  expect(Math.abs(answer.maximum - whole.maximum)).toBeLessThanOrEqual(tolerance * whole.maximum);
  expect(answer.meanSimilarity === null).toBe(whole.meanSimilarity === null);
  expect(Math.abs((answer.meanSimilarity ?? 0) - (whole.meanSimilarity ?? 0))).toBeLessThanOrEqual(tolerance);
  const twins = new Map(whole.hits.map((hit) => [hit.id, hit]));
  for (const hit of answer.hits) {
    const twin = required(twins.get(hit.id));
    expect({ ...hit, score: 0, lexical: 0, similarity: 0 }).toEqual({ ...twin, score: 0, lexical: 0, similarity: 0 });
    expect(Math.abs(hit.score - twin.score)).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(hit.lexical - twin.lexical)).toBeLessThanOrEqual(tolerance * whole.maximum);
    expect(hit.similarity === null).toBe(twin.similarity === null);
    expect(Math.abs((hit.similarity ?? 0) - (twin.similarity ?? 0))).toBeLessThanOrEqual(tolerance);
  }
  const scores = answer.hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
  if (options.overlap === 1) expect(answer.hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  const found = new Set(answer.hits.map(({ id }) => id));
  return expected.length === 0 ? 1 : expected.filter(({ id }) => found.has(id)).length / expected.length;
}

/** Queries of 2 to 100 words with repetition; their vectors lie near some chunk's. */
function requestsOver(chunks: SearchableChunk[], dimensions: number): SearchRequest[] {
  const random = seededDraws(99);
  const embedded = chunks.flatMap(({ vector }) => vector ?? []);
  return Array.from({ length: 12 }, (_, number) => {
    const centre = embedded[Math.floor(random() * embedded.length)];
    return { tokens: sampleWords(random, 2 + 9 * number), vector: unitVector(random, dimensions, centre, 0.7), limit: LIMIT };
  });
}

function byTerm(left: { term: string }, right: { term: string }): number {
  return left.term < right.term ? -1 : 1;
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The contract needs a value here.');
  return value;
}
