import { open } from 'node:fs/promises';
import path from 'node:path';
import type { ChunkIndex, ChunkSearch, SearchableChunk } from '@reenact/domain';
import type { IndexedTree, RetrievalProduct } from './product.js';
import type { BenchGround } from './bench-ground.js';
import { vectorAt } from './clustered-vectors.js';
import type { VectorSet } from './clustered-vectors.js';

/** Chunks that the product and its peers are measured on. */
export interface SpeedSet {
  chunks: number;
  /** One chunk a line, tokens between spaces; fields repeated as the formula weighs them. */
  tokensFile: string;
  /** Row of each chunk's id. */
  rows: Map<string, number>;
  /** The chunks again, each with its row's vector where vectors are given. */
  each(vectors: VectorSet | null): Generator<SearchableChunk>;
}

/** Field weights of the formula (libs/retrieval/src/formula.ts): a peer has one field, so a name's tokens come four times. */
const NAME_TIMES = 4;

/** Reads a tree by the product and takes `wanted` of its chunks, spread evenly; all where it has fewer. */
export async function openSpeedSet(
  product: RetrievalProduct,
  ground: BenchGround,
  { definitions, wanted, sets }: { definitions: number; wanted: number; sets: readonly ('main' | 'large')[] },
): Promise<SpeedSet> {
  const layout = await ground.tree(definitions, sets);
  const tree = await product.openTree(layout.directory, ground.store);
  const all = readChunks(tree);
  const chunks = all.filter((_chunk, place) => isTaken(place, all.length, wanted));
  const tokensFile = path.join(await ground.scratch(), 'tokens.txt');
  await writeTokens(tokensFile, chunks);
  return {
    chunks: chunks.length,
    tokensFile,
    rows: new Map(chunks.map(({ id }, row) => [id, row])),
    *each(vectors) {
      for (const [row, chunk] of chunks.entries()) yield vectors === null ? chunk : { ...chunk, vector: vectorAt(vectors, row) };
    },
  };
}

/** All chunks of a tree, which is closed then. */
export function readChunks(tree: IndexedTree): SearchableChunk[] {
  const chunks = Array.from(tree.searchable());
  tree.close();
  return chunks;
}

/** Whether a place is one of `wanted` spread evenly over `total`. */
export function isTaken(place: number, total: number, wanted: number): boolean {
  return wanted >= total || Math.floor(((place + 1) * wanted) / total) > Math.floor((place * wanted) / total);
}

/** Tokens of a chunk as one field. */
export function flatTokens({ tokens }: SearchableChunk): string[] {
  const names = Array.from({ length: NAME_TIMES }, () => tokens.name).flat();
  return [...tokens.text, ...names, ...tokens.path];
}

/** Writes one line a chunk, in a few large pieces. */
export async function writeTokens(file: string, chunks: Iterable<SearchableChunk>): Promise<void> {
  const handle = await open(file, 'w');
  try {
    let piece: string[] = [];
    for (const chunk of chunks) {
      piece.push(`${flatTokens(chunk).join(' ')}\n`);
      if (piece.length < 2000) continue;
      await handle.write(piece.join(''));
      piece = [];
    }
    await handle.write(piece.join(''));
  } finally {
    await handle.close();
  }
}

/** Publishes chunks and opens them. @throws Error where the engine does not find what it published. */
export async function publishAndOpen(index: ChunkIndex, chunks: Iterable<SearchableChunk>, hasVectors: boolean): Promise<ChunkSearch> {
  const name = { repository: 'bench', revision: 'bench' };
  await index.publish(name, chunks, { embedding: hasVectors ? 'bench' : null });
  const search = await index.open(name);
  if (search === null) throw new Error('the engine does not find what was published');
  return search;
}
