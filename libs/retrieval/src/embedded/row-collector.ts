import { AppError } from '@reenact/domain';
import { growingNumbers } from './growing-numbers.js';
import { quantiseRow, rowWidth } from './quantise.js';
import type { CoreSections } from './sections.js';

/** Rows of a block: 1.5 MB at 384 numbers, so that nothing big is copied while rows come. */
const BLOCK_ROWS = 1024;
/** Vectors are unit vectors up to rounding; farther off, something was stored that is none. */
const LARGEST_DEVIATION = 0.01;

/** Vectors as they come, in blocks of padded rows. */
export interface RowCollector {
  /** @throws AppError `internal` for a vector of another length than the first, or far from length 1. */
  add(taken: number, vector: Float32Array, where: string): void;
  readonly dimensions: number | null;
  /** All rows so far; the last block is cut to its rows. */
  readonly blocks: Float32Array<ArrayBuffer>[];
  /** The rows as int8; `rankOf` gives a chunk's number by the order in which it was taken. */
  quantised(rankOf: Uint32Array): Pick<CoreSections, 'codes' | 'rowScales' | 'rowErrors' | 'rowChunks'>;
}

/** Begins with no row. */
export function createRowCollector(): RowCollector {
  const blocks: Float32Array<ArrayBuffer>[] = [];
  const takenOf = growingNumbers();
  let dimensions: number | null = null;
  const width = (): number => rowWidth(dimensions ?? 0);
  const cutBlocks = (): Float32Array<ArrayBuffer>[] =>
    blocks.map((block, place) => block.subarray(0, Math.min(BLOCK_ROWS, takenOf.length - place * BLOCK_ROWS) * width()));
  return {
    add(taken, vector, where) {
      dimensions ??= vector.length;
      checkVector(vector, dimensions, where);
      const row = takenOf.length % BLOCK_ROWS;
      if (row === 0) blocks.push(new Float32Array(BLOCK_ROWS * width()));
      blocks.at(-1)?.set(vector, row * width());
      takenOf.push(taken);
    },
    get dimensions() {
      return dimensions;
    },
    get blocks() {
      return cutBlocks();
    },
    quantised(rankOf) {
      const count = takenOf.length;
      const codes = new Int8Array(count * width());
      const [rowScales, rowErrors] = [new Float32Array(count), new Float32Array(count)];
      for (let row = 0; row < count; row++) {
        const start = (row % BLOCK_ROWS) * width();
        const block = blocks[Math.floor(row / BLOCK_ROWS)] ?? new Float32Array();
        const { scale, error } = quantiseRow(block.subarray(start, start + width()), codes.subarray(row * width(), (row + 1) * width()));
        rowScales[row] = scale;
        rowErrors[row] = error;
      }
      return { codes, rowScales, rowErrors, rowChunks: takenOf.values().map((taken) => rankOf[taken] ?? 0) };
    },
  };
}

function checkVector(vector: Float32Array, dimensions: number, where: string): void {
  if (vector.length !== dimensions)
    throw new AppError('internal', `The vector of the chunk at ${where} has ${vector.length} numbers, the others have ${dimensions}.`);
  let squared = 0;
  for (let place = 0; place < vector.length; place++) squared += (vector[place] ?? 0) ** 2;
  if (!(Math.abs(Math.sqrt(squared) - 1) <= LARGEST_DEVIATION))
    throw new AppError('internal', `The vector of the chunk at ${where} is no unit vector: its length is ${Math.sqrt(squared)}.`);
}
