import { compareText } from '@reenact/code-index';
import type { ChunkKind, SearchableChunk } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { FIELD_WEIGHTS } from '../formula.js';
import type { GrowingNumbers } from './growing-numbers.js';
import { growingNumbers } from './growing-numbers.js';
import { packText } from './packed-text.js';
import { invertTerms } from './postings.js';
import type { CoreSections } from './sections.js';
import { buildTermSlots } from './term-table.js';
import type { RowCollector } from './row-collector.js';
import { createRowCollector } from './row-collector.js';

/** The arrays of a generation before they are placed in memory or in a file. */
export interface BuiltGeneration {
  chunks: number;
  kinds: ChunkKind[];
  /** Length of the vectors; null where there are none. */
  dimensions: number | null;
  sections: CoreSections;
  /** The true rows, padded, in blocks. */
  rowBlocks: Float32Array<ArrayBuffer>[];
}

/** Takes chunks in any order, and makes a generation of them. */
export interface GenerationBuilder {
  /** @throws AppError `internal` for a chunk that breaks the port's rules: its id, its vector's length or norm. */
  add(chunk: SearchableChunk): void;
  /** @param digests what each file's chunks are known by; files without one are read anew the next time. */
  finish(digests?: ReadonlyMap<string, string>): BuiltGeneration;
}

/** What is kept of a chunk until all are there. */
interface TakenChunk {
  id: string;
  file: string;
  kind: number;
  name: string;
  startLine: number;
  endLine: number;
  length: number;
}

interface Building {
  chunks: TakenChunk[];
  /** Where the terms of each chunk begin in the forward index. */
  firstTerms: number[];
  kinds: ChunkKind[];
  vocabulary: Map<string, number>;
  /** Terms and counts, chunk by chunk. */
  forwardTerms: GrowingNumbers;
  forwardTimes: GrowingNumbers;
  /** Counts of the chunk under way by term, zero between chunks. */
  times: GrowingNumbers;
  rows: RowCollector;
}

/** Begins a generation. */
export function createGenerationBuilder(): GenerationBuilder {
  const building: Building = {
    chunks: [],
    firstTerms: [],
    kinds: [],
    vocabulary: new Map(),
    forwardTerms: growingNumbers(),
    forwardTimes: growingNumbers(),
    times: growingNumbers(),
    rows: createRowCollector(),
  };
  return { add: (chunk) => addChunk(building, chunk), finish: (digests = new Map()) => finish(building, digests) };
}

function addChunk(building: Building, chunk: SearchableChunk): void {
  const { id, file, name, startLine, endLine, tokens, vector } = chunk;
  if (!/^[0-9a-f]{64}$/.test(id)) throw new AppError('internal', `The chunk at ${file}:${startLine} has no SHA-256 for its id.`);
  let kind = building.kinds.indexOf(chunk.kind);
  if (kind < 0) kind = building.kinds.push(chunk.kind) - 1;
  if (vector !== null) building.rows.add(building.chunks.length, vector, `${file}:${startLine}`);
  const firstTerm = building.forwardTerms.length;
  let length = 0;
  for (const field of ['text', 'name', 'path'] as const) {
    countTokens(building, tokens[field], FIELD_WEIGHTS[field]);
    length += tokens[field].length * FIELD_WEIGHTS[field];
  }
  takeCounts(building, firstTerm);
  building.firstTerms.push(firstTerm);
  building.chunks.push({ id, file, kind, name, startLine, endLine, length });
}

function countTokens({ vocabulary, times, forwardTerms }: Building, tokens: string[], weight: number): void {
  for (const token of tokens) {
    let term = vocabulary.get(token);
    if (term === undefined) {
      term = vocabulary.size;
      vocabulary.set(token, term);
      times.push(0);
    }
    if (times.get(term) === 0) forwardTerms.push(term);
    times.add(term, weight);
  }
}

function takeCounts({ times, forwardTerms, forwardTimes }: Building, firstTerm: number): void {
  for (let place = firstTerm; place < forwardTerms.length; place++) {
    const term = forwardTerms.get(place);
    const count = times.get(term);
    forwardTimes.push(count);
    times.add(term, -count);
  }
}

function finish(building: Building, digests: ReadonlyMap<string, string>): BuiltGeneration {
  const { chunks, firstTerms, kinds, vocabulary, rows } = building;
  const order = Array.from(chunks.keys()).sort((left, right) => compareChunks(chunks[left], chunks[right]));
  const sorted = order.flatMap((place) => chunks[place] ?? []);
  const rankOf = new Uint32Array(chunks.length);
  order.forEach((place, rank) => (rankOf[place] = rank));
  const paths = [...new Set(sorted.map(({ file }) => file))];
  const pathNumbers = new Map(paths.map((file, number) => [file, number]));
  const names = packText(sorted.map(({ name }) => name));
  const packedPaths = packText(paths);
  const packedDigests = packText(paths.map((file) => digests.get(file) ?? ''));
  const terms = packText(vocabulary.keys());
  const forward = { terms: building.forwardTerms.values(), times: building.forwardTimes.values(), firstTerms, vocabulary: vocabulary.size };
  const sections: CoreSections = {
    ids: Buffer.from(sorted.map(({ id }) => id).join(''), 'hex'),
    files: Uint32Array.from(sorted, ({ file }) => pathNumbers.get(file) ?? 0),
    kinds: Uint8Array.from(sorted, ({ kind }) => kind),
    startLines: Uint32Array.from(sorted, ({ startLine }) => startLine),
    endLines: Uint32Array.from(sorted, ({ endLine }) => endLine),
    lengths: Uint32Array.from(sorted, ({ length }) => length),
    nameOffsets: names.offsets,
    nameBytes: names.bytes,
    pathOffsets: packedPaths.offsets,
    pathBytes: packedPaths.bytes,
    digestOffsets: packedDigests.offsets,
    digestBytes: packedDigests.bytes,
    termOffsets: terms.offsets,
    termBytes: terms.bytes,
    termSlots: buildTermSlots(terms),
    ...invertTerms(forward, order),
    ...rows.quantised(rankOf),
  };
  return { chunks: chunks.length, kinds, dimensions: rows.dimensions, sections, rowBlocks: rows.blocks };
}

function compareChunks(left: TakenChunk | undefined, right: TakenChunk | undefined): number {
  if (left === undefined || right === undefined) return 0;
  if (left.file !== right.file) return compareText(left.file, right.file);
  return left.startLine - right.startLine || left.endLine - right.endLine || compareText(left.id, right.id);
}
