import { stat } from 'node:fs/promises';
import path from 'node:path';
import { claimFromReport } from '@reenact/authoring';
import { buildCodeIndex, tokenise } from '@reenact/code-index';
import type { CodeIndex } from '@reenact/code-index';
import type { ChunkIndex, ChunkKind, SearchableChunk } from '@reenact/domain';
import { readReport } from '@reenact/report';
import { createContextSource } from '@reenact/retrieval';
import { createMemoryChunkIndex } from '@reenact/retrieval/testing';
import type { BenchLine } from './bench-row.js';
import type { RetrievalBenchOptions } from './row-context.js';

/** What a look at a tree had to do. */
export interface WorkCounts {
  stated: number;
  hashed: number;
  parsed: number;
  /** Chunks of the parsed files. */
  tokenised: number;
}

/** An indexed tree. */
export interface IndexedTree {
  files: number;
  /** Null where nothing is kept between two looks. */
  counts: WorkCounts | null;
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

type MeasureRow = (options: RetrievalBenchOptions, report: (message: string) => void) => Promise<BenchLine[]>;

/**
 * The parts of the product that the bench measures, and the only place that names them. A part that is null does not exist: its
 * rows are told as not there yet.
 */
export interface RetrievalProduct {
  /** Parsing alone: definitions only, whole chunk records, and these with two workers. */
  parse: Record<'walk' | 'records' | 'pool', ((treeDirectory: string) => Promise<ParseMeasure>) | null>;
  /** Whether `openTree` keeps what it parsed. */
  isIncremental: boolean;
  /** @param storeDirectory where the index is kept. */
  openTree(treeDirectory: string, storeDirectory: string): Promise<IndexedTree>;
  createEngine(directory: string): ChunkIndex;
  /**
   * An embedder with real MiniLM weights; null where there is none. @throws Error where weights or runtime cannot be had.
   * @param directory cache for weights, runtime and vectors.
   */
  openEmbedder(directory: string, report: (message: string) => void): Promise<BenchEmbedder | null>;
  /** Engine of a search cluster at this address; null where there is none. */
  createCluster: ((url: string) => ChunkIndex & { close(): Promise<void> }) | null;
  /** Files of the first context that a report gets over a tree, in the order of their blocks. */
  openContexts(treeDirectory: string): Promise<(report: string) => Promise<string[]>>;
  measureKills: MeasureRow | null;
}

export const product: RetrievalProduct = {
  parse: { walk: null, records: parseRecords, pool: null },
  isIncremental: false,
  async openTree(treeDirectory) {
    const code = await buildCodeIndex(treeDirectory);
    return { files: code.texts.size, counts: null, searchable: () => searchableChunks(code), close: () => undefined };
  },
  createEngine: () => createMemoryChunkIndex(),
  openEmbedder: async () => null,
  createCluster: null,
  async openContexts(treeDirectory) {
    const source = createContextSource();
    return async (text) => {
      const report = readReport(Buffer.from(text));
      const { frames, symbols } = claimFromReport(report);
      const query = { title: report.title, body: report.text, frames, symbols };
      const [first] = await source.retrieve(treeDirectory, treeDirectory, query);
      return [...new Set(first?.blocks.map(({ file }) => file))];
    };
  },
  measureKills: null,
};

const NAMELESS = new Set<ChunkKind>(['run', 'window', 'cell']);

function* searchableChunks(code: CodeIndex): Generator<SearchableChunk> {
  for (const { file, kind, name, startLine, endLine, text } of code.chunks) {
    const tokens = { text: tokenise(text), name: NAMELESS.has(kind) ? [] : tokenise(name), path: tokenise(file) };
    yield { id: `${file}:${startLine}:${endLine}:${name}`, file, kind, name, startLine, endLine, text, tokens, vector: null };
  }
}

async function parseRecords(treeDirectory: string): Promise<ParseMeasure> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const code = await buildCodeIndex(treeDirectory);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - begun) / 1000;
  const files = [...code.texts.keys()].filter((file) => file.endsWith('.py'));
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(treeDirectory, file))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { files, bytes, definitions: code.definitions.length, seconds, cpuSeconds: (user + system) / 1e6 };
}
