import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { claimFromReport } from '@reenact/authoring';
import { loadPythonSyntax, openTree } from '@reenact/code-index';
import type { IndexCounts, PythonSyntax } from '@reenact/code-index';
import type { ChunkIndex, ChunkSearch, FiledChunks, SearchableChunk } from '@reenact/domain';
import type { RetrievalModels } from '@reenact/domain/schemas';
import { createIndexKills } from '@reenact/code-index/testing';
import { readReport } from '@reenact/report';
import {
  createContextSource,
  createElasticsearchIndex,
  createEmbeddedIndex,
  createEmbedder,
  embedBest,
  openRanking,
  openSharedEmbeddings,
} from '@reenact/retrieval';
import { createEngineKills } from '@reenact/retrieval/testing/kills';
import type { KillSubject } from '@reenact/store/testing';
import { BENCH_FOLDER } from './bench-ground.js';
import { countDefinitions, countInRecords } from './measure/count-definitions.js';
import { runWalkThreads } from './measure/run-walk-threads.js';

const run = promisify(execFile);
/** The runtime of the models, an optional part of the installation (libs/retrieval/package.json). */
const ONNX_RUNTIME = 'onnxruntime-node@1.30.0';

/** An indexed tree. */
export interface IndexedTree {
  digest: string;
  filed: FiledChunks;
  files: number;
  counts: IndexCounts;
  searchable(): Iterable<SearchableChunk>;
  close(): void;
}

/** What parsing a tree took. */
export interface ParseMeasure {
  /** Python files that were parsed, relative to the tree. */
  files: string[];
  bytes: number;
  definitions: number;
  seconds: number;
  cpuSeconds: number;
}

/** What the bench asks of an embedder. */
export interface BenchEmbedder {
  embed(texts: string[], role: 'query' | 'document'): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/**
 * The parts of the product that the bench measures, and the only place that names them.
 */
export interface RetrievalProduct {
  /** Parsing: definitions only, the same in two threads, whole chunk records, and all that the index keeps, by its own pool of two. */
  parse: Record<'walk' | 'threads' | 'records' | 'pool', (treeDirectory: string) => Promise<ParseMeasure>>;
  /** @param storeDirectory where the index is kept. */
  openTree(treeDirectory: string, storeDirectory: string): Promise<IndexedTree>;
  createEngine(directory: string): ChunkIndex;
  /** A tree's words as `search` opens them: a state that the engine has as it is, of another the chunks that it knows are taken over. */
  openSearch(index: ChunkIndex, tree: IndexedTree, repository: string): Promise<ChunkSearch>;
  /**
   * An embedder with real MiniLM weights. @throws Error where weights or runtime cannot be had.
   * @param directory cache for weights, runtime and vectors.
   */
  openEmbedder(directory: string, report: (message: string) => void): Promise<BenchEmbedder>;
  /** Engine of a search cluster at this address. */
  createCluster(url: string): ChunkIndex & { close(): Promise<void> };
  /** Files of the first context that a report gets over a tree, in the order of their blocks. */
  openContexts(treeDirectory: string, engineDirectory: string): (report: string) => Promise<string[]>;
  /** What writes, as something that is killed. @param directory an empty folder. */
  kills: Record<'index' | 'engine', (directory: string) => Promise<KillSubject>>;
}

export const product: RetrievalProduct = {
  parse: {
    walk: (tree) => parseOnOneThread(tree, countDefinitions),
    threads: parseOnTwoThreads,
    records: (tree) => parseOnOneThread(tree, countInRecords),
    pool: parseInPool,
  },
  async openTree(treeDirectory, storeDirectory) {
    const tree = await openTree(treeDirectory, { directory: storeDirectory });
    return { ...tree, files: tree.files.length };
  },
  createEngine: (directory) => createEmbeddedIndex({ directory: path.join(directory, 'engine') }),
  async openSearch(index, { digest, filed }, repository) {
    const name = { repository, revision: digest };
    return (await openRanking({ index, dense: null }, { name, chunks: filed, tokens: [], text: '' })).search;
  },
  openEmbedder,
  createCluster: (url) => createElasticsearchIndex({ url, prefix: 'reenact-bench' }),
  openContexts(treeDirectory, engineDirectory) {
    const source = createContextSource({ openIndex: () => createEmbeddedIndex({ directory: engineDirectory }) });
    return async (text) => {
      const report = readReport(Buffer.from(text));
      const { frames, symbols } = claimFromReport(report);
      const query = { title: report.title, body: report.text, frames, symbols };
      const { contexts } = await source.retrieve({ directory: treeDirectory, hash: treeDirectory }, query);
      const [first] = contexts;
      return [...new Set(first?.blocks.map(({ file }) => file))];
    };
  },
  kills: { index: createIndexKills, engine: createEngineKills },
};

/** Definitions of every Python file that is indexed, read and parsed in this thread by `count`. */
async function parseOnOneThread(
  treeDirectory: string,
  count: (syntax: PythonSyntax, text: string, file: string) => number,
): Promise<ParseMeasure> {
  const files = await pythonFiles(treeDirectory);
  const syntax = await loadPythonSyntax();
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  let [bytes, definitions] = [0, 0];
  for (const file of files) {
    const content = await readFile(path.join(treeDirectory, file));
    bytes += content.length;
    definitions += count(syntax, content.toString('utf8'), file);
  }
  return { files, bytes, definitions, ...elapsed(begun, cpu) };
}

async function parseOnTwoThreads(treeDirectory: string): Promise<ParseMeasure> {
  const files = await pythonFiles(treeDirectory);
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const totals = await runWalkThreads(treeDirectory, files, 2);
  return { files, ...totals, ...elapsed(begun, cpu) };
}

/** The product's own way with two threads: everything that is kept of a file is made, its tokens too. */
async function parseInPool(treeDirectory: string): Promise<ParseMeasure> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const tree = await openTree(treeDirectory, { threads: 2 });
  const spent = elapsed(begun, cpu);
  let [bytes, definitions] = [0, 0];
  const files = tree.files.filter(({ kind }) => kind === 'python').map(({ file }) => file);
  for (const parsed of tree.readAll()) definitions += parsed.definitions.length;
  for (const file of tree.files) bytes += file.bytes;
  tree.close();
  return { files, bytes, definitions, ...spent };
}

async function pythonFiles(treeDirectory: string): Promise<string[]> {
  const tree = await openTree(treeDirectory);
  tree.close();
  return tree.files.filter(({ kind }) => kind === 'python').map(({ file }) => file);
}

function elapsed(begun: number, cpu: NodeJS.CpuUsage): { seconds: number; cpuSeconds: number } {
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Vectors are cached in the bench's folder, so that a bench that was ended goes on. */
async function openEmbedder(directory: string, report: (message: string) => void): Promise<BenchEmbedder> {
  report('dense: looking for weights and their runtime');
  const { stdout } = await run(process.execPath, [path.join(BENCH_FOLDER, 'fetch-weights.mjs'), path.join(directory, 'weights')]);
  const runtimeDirectory = path.join(directory, 'onnxruntime');
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', runtimeDirectory, ONNX_RUNTIME]);
  const models: RetrievalModels = {
    embedder: { type: 'onnx', directory: stdout.trim() },
    reranker: { type: 'features' },
    runtimeDirectory,
    threads: 2,
    cacheMegabytes: 2048,
  };
  const embedder = await createEmbedder(models);
  if (embedder === null) throw new Error('no embedder was made');
  const cache = openSharedEmbeddings(directory, models, report);
  let told = 0;
  return {
    async embed(texts, role) {
      if (role === 'query') return embedder.embed(texts, role);
      const { vectors } = await embedBest(
        { embedder, cache },
        { texts, best: texts.keys(), limit: texts.length },
        {
          onProgress: ({ done, total, secondsLeft }) => {
            if (performance.now() - told < 10_000) return;
            told = performance.now();
            report(`dense: ${done} of ${total} texts embedded${secondsLeft === null ? '' : `, ${Math.round(secondsLeft)} s left`}`);
          },
        },
      );
      return vectors.map((vector) => vector ?? new Float32Array(embedder.dimensions));
    },
    async close() {
      cache.close();
      await embedder.close();
    },
  };
}
