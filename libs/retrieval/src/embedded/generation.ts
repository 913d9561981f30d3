import { lengthNorm } from '../formula.js';
import type { BuiltGeneration } from './generation-builder.js';
import { mapOfMany } from './postings.js';
import { rowWidth } from './quantise.js';
import { createPlainKernel, createSimdKernel } from './scan-kernel.js';
import type { ScanKernel } from './scan-kernel.js';
import type { SectionLengths, Sections } from './sections.js';
import { placeSections, SECTION_NAMES, viewSections } from './sections.js';
import { webAssembly } from './web-assembly.js';
import type { WasmMemory } from './web-assembly.js';

/** What describes a generation beside its arrays. */
export interface GenerationShape {
  chunks: number;
  kinds: string[];
  dimensions: number | null;
  lengths: SectionLengths;
}

/** A generation in shared memory, ready for searching. */
export interface Generation {
  shape: GenerationShape;
  /** Numbers a padded row. */
  width: number;
  sections: Sections;
  /** k1 · (1 − b + b · length / average length) by chunk. */
  norms: Float64Array;
  /**
   * f / (f + norm) by posting, reckoned when a term is asked for the first time: a division less for every posting of every later
   * search makes it three times as fast, and opening costs nothing.
   */
  saturations: { values: Float64Array; isReckoned: Uint8Array };
  manyTimes: Map<number, number>;
  kernel: ScanKernel;
  /** Byte offsets where the kernel finds the query and leaves its sums. */
  scratch: { query: number; out: number };
  buffer: SharedArrayBuffer;
  /** The true row, from memory or from the file. */
  readRow(row: number): Float32Array;
}

/** Memory for a generation's arrays and for one searcher's scratch; `simd` is null where only the plain kernel can be had. */
export interface GenerationMemory {
  buffer: SharedArrayBuffer;
  simd: WasmMemory | null;
  scratch: { query: number; out: number };
  withRows: boolean;
}

const PAGE_BYTES = 65_536;

/** Takes shared memory for the arrays of a shape; a search needs no more afterwards. */
export function allocateGeneration(shape: GenerationShape, options: { withRows: boolean; kernel?: ScanKernel['name'] }): GenerationMemory {
  const { coreBytes, bytes } = placeSections(shape.lengths);
  const query = options.withRows ? bytes : coreBytes;
  const out = query + 4 * rowWidth(shape.dimensions ?? 0);
  const pages = Math.ceil((out + 4 * shape.lengths.rowChunks) / PAGE_BYTES) + 1;
  const simd = shape.dimensions === null || options.kernel === 'plain' ? null : takeWasmMemory(pages);
  const buffer = simd === null ? new SharedArrayBuffer(pages * PAGE_BYTES) : simd.buffer;
  return { buffer, simd, scratch: { query, out }, withRows: options.withRows };
}

/** Null where the process may not reserve as much address space as WebAssembly asks for, or more than 4 GiB are needed. */
function takeWasmMemory(pages: number): WasmMemory | null {
  try {
    return new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Makes a generation of filled memory. */
export function openGeneration(shape: GenerationShape, memory: GenerationMemory, readRow?: (row: number) => Float32Array): Generation {
  const sections = viewSections(memory.buffer, shape.lengths, memory.withRows);
  const width = rowWidth(shape.dimensions ?? 0);
  let total = 0;
  for (const length of sections.lengths) total += length;
  const average = total / Math.max(1, shape.chunks);
  return {
    shape,
    width,
    sections,
    norms: Float64Array.from(sections.lengths, (length) => lengthNorm(length, average)),
    saturations: {
      values: new Float64Array(sections.postingChunks.length),
      isReckoned: new Uint8Array(sections.postingStarts.length),
    },
    manyTimes: mapOfMany(sections.manyTimes),
    kernel: memory.simd === null ? createPlainKernel(memory.buffer) : createSimdKernel(memory.simd),
    scratch: memory.scratch,
    buffer: memory.buffer,
    readRow: readRow ?? ((row) => sections.rows.subarray(row * width, (row + 1) * width)),
  };
}

/** The shape of what a builder made. */
export function shapeOf(built: BuiltGeneration): GenerationShape {
  const rows = built.rowBlocks.reduce((sum, block) => sum + block.length, 0);
  const lengths = { rows } as SectionLengths;
  for (const name of SECTION_NAMES) if (name !== 'rows') lengths[name] = built.sections[name].length;
  return { chunks: built.chunks, kinds: built.kinds, dimensions: built.dimensions, lengths };
}

/** Puts what a builder made into memory, without a file. */
export function generationInMemory(built: BuiltGeneration, options: { kernel?: ScanKernel['name'] } = {}): Generation {
  const shape = shapeOf(built);
  const memory = allocateGeneration(shape, { ...options, withRows: true });
  const views = viewSections(memory.buffer, shape.lengths, true);
  for (const name of SECTION_NAMES) if (name !== 'rows') views[name].set(built.sections[name]);
  let place = 0;
  for (const block of built.rowBlocks) {
    views.rows.set(block, place);
    place += block.length;
  }
  return openGeneration(shape, memory);
}
