import { compareText } from '@reenact/code-index';
import type { ChunkKind, SearchableChunk } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { FIELD_WEIGHTS } from '../formula.js';
import type { GrowingNumbers } from './growing-numbers.js';
import { growingNumbers } from './growing-numbers.js';
import type { EarlierGeneration } from './earlier-chunks.js';
import { findEarlier } from './earlier-chunks.js';
import type { PackedText } from './packed-text.js';
import { packText, textOf } from './packed-text.js';
import type { Postings } from './postings.js';
import { invertTerms, mergePostings, NOT_TAKEN } from './postings.js';
import type { CoreSections } from './sections.js';
import { buildTermSlots, findTerm } from './term-table.js';
import type { RowCollector } from './row-collector.js';
import { createRowCollector } from './row-collector.js';

/** The arrays of a generation before they are placed in memory or in a file. */
export interface BuiltGeneration {
  chunks: number;
  kinds: ChunkKind[];
  /** As the how many-th a chunk was taken (from 0), by its number. */
  order: number[];
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
  finish(): BuiltGeneration;
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
  /** Its number in the earlier generation, where its terms are taken from; −1 for one that is new. */
  earlier: number;
}

/** A generation whose chunks can be taken over, and how they are found. */
interface Earlier extends EarlierGeneration {
  find: ReturnType<typeof findEarlier>;
}

interface Building {
  earlier: Earlier | null;
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

/**
 * Begins a generation. Of chunks that an earlier one holds too, neither tokens nor text are asked for; whoever gives one vouches that
 * its tokens came about in the same way.
 */
export function createGenerationBuilder(earlier: EarlierGeneration | null = null): GenerationBuilder {
  const building: Building = {
    earlier: earlier === null ? null : { ...earlier, find: findEarlier(earlier) },
    chunks: [],
    firstTerms: [],
    kinds: [],
    vocabulary: new Map(),
    forwardTerms: growingNumbers(),
    forwardTimes: growingNumbers(),
    times: growingNumbers(),
    rows: createRowCollector(),
  };
  return { add: (chunk) => addChunk(building, chunk), finish: () => finish(building) };
}

function addChunk(building: Building, chunk: SearchableChunk): void {
  const { id, file, name, startLine, endLine, vector } = chunk;
  if (!/^[0-9a-f]{64}$/.test(id)) throw new AppError('internal', `The chunk at ${file}:${startLine} has no SHA-256 for its id.`);
  let kind = building.kinds.indexOf(chunk.kind);
  if (kind < 0) kind = building.kinds.push(chunk.kind) - 1;
  if (vector !== null) building.rows.add(building.chunks.length, vector, `${file}:${startLine}`);
  building.firstTerms.push(building.forwardTerms.length);
  const earlier = building.earlier?.find(chunk) ?? -1;
  const length = earlier < 0 ? countFields(building, chunk.tokens) : (building.earlier?.sections.lengths[earlier] ?? 0);
  building.chunks.push({ id, file, kind, name, startLine, endLine, length, earlier });
}

/** Counts a chunk's terms. @returns its length in tokens, fields weighted. */
function countFields(building: Building, tokens: SearchableChunk['tokens']): number {
  const firstTerm = building.forwardTerms.length;
  let length = 0;
  for (const field of ['text', 'name', 'path'] as const) {
    countTokens(building, tokens[field], FIELD_WEIGHTS[field]);
    length += tokens[field].length * FIELD_WEIGHTS[field];
  }
  takeCounts(building, firstTerm);
  return length;
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

function finish(building: Building): BuiltGeneration {
  const { chunks, kinds, rows } = building;
  const order = Array.from(chunks.keys()).sort((left, right) => compareChunks(chunks[left], chunks[right]));
  const sorted = order.flatMap((place) => chunks[place] ?? []);
  const rankOf = new Uint32Array(chunks.length);
  order.forEach((place, rank) => (rankOf[place] = rank));
  const paths = [...new Set(sorted.map(({ file }) => file))];
  const pathNumbers = new Map(paths.map((file, number) => [file, number]));
  const names = packText(sorted.map(({ name }) => name));
  const packedPaths = packText(paths);
  const { terms, postings } = postingsOf(building, { order, rankOf });
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
    termOffsets: terms.offsets,
    termBytes: terms.bytes,
    termSlots: buildTermSlots(terms),
    ...postings,
    ...rows.quantised(rankOf),
  };
  return { chunks: chunks.length, kinds, order, dimensions: rows.dimensions, sections, rowBlocks: rows.blocks };
}

function compareChunks(left: TakenChunk | undefined, right: TakenChunk | undefined): number {
  if (left === undefined || right === undefined) return 0;
  if (left.file !== right.file) return compareText(left.file, right.file);
  return left.startLine - right.startLine || left.endLine - right.endLine || compareText(left.id, right.id);
}

/** The postings of all chunks and the terms they belong to. */
function postingsOf(
  building: Building,
  { order, rankOf }: { order: number[]; rankOf: Uint32Array },
): { terms: PackedText; postings: Postings } {
  const { chunks, earlier, firstTerms, vocabulary, forwardTerms, forwardTimes } = building;
  const forward = { terms: forwardTerms.values(), times: forwardTimes.values(), firstTerms, vocabulary: vocabulary.size };
  const fresh = invertTerms(forward, order);
  const freshTerms = [...vocabulary.keys()];
  if (earlier === null) return { terms: packText(freshTerms), postings: fresh };
  const { sections } = earlier;
  const numbers = new Uint32Array(earlier.shape.chunks).fill(NOT_TAKEN);
  chunks.forEach((chunk, taken) => {
    if (chunk.earlier >= 0) numbers[chunk.earlier] = rankOf[taken] ?? 0;
  });
  const known = { offsets: sections.termOffsets, bytes: sections.termBytes };
  const earlierTerms = Int32Array.from(freshTerms, (term) => findTerm(known, sections.termSlots, term));
  const { postings, terms } = mergePostings({ postings: sections, numbers }, { postings: fresh, earlierTerms });
  const nameOf = textOf(known);
  return { terms: packText(Array.from(terms, (term) => (term < 0 ? (freshTerms[~term] ?? '') : nameOf(term)))), postings };
}
