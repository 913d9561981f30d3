import { SCAN_KERNEL_BASE64 } from './scan-kernel-bytes.js';
import { webAssembly } from './web-assembly.js';
import type { WasmMemory, WasmModule } from './web-assembly.js';

/** Where a scan reads and writes: byte offsets into one shared memory, numbers and rows. `width` is a multiple of 16. */
export interface ScanPlaces {
  rows: number;
  query: number;
  /** Takes one sum a row. */
  out: number;
  count: number;
  width: number;
}

/** Dot products of a query with many rows. */
export interface ScanKernel {
  name: 'simd' | 'plain';
  /** Rows of int8, query of int16, sums of int32: exact. */
  int8(places: ScanPlaces): void;
  /** Rows, query and sums of float32. */
  float32(places: ScanPlaces): void;
}

type Scan = (...places: number[]) => void;

let compiled: WasmModule | null = null;

/** The kernel in WebAssembly SIMD over a shared memory; some ten times as fast as the plain one. */
export function createSimdKernel(memory: WasmMemory): ScanKernel {
  compiled ??= new webAssembly.Module(Buffer.from(SCAN_KERNEL_BASE64, 'base64'));
  const exported = new webAssembly.Instance(compiled, { reenact: { memory } }).exports as { int8: Scan; float32: Scan };
  return {
    name: 'simd',
    int8: ({ rows, query, out, count, width }) => exported.int8(rows, query, out, count, width),
    float32: ({ rows, query, out, count, width }) => exported.float32(rows, query, out, count, width),
  };
}

/** The same in plain JavaScript, for where no shared WebAssembly memory is to be had; sums of int8 are the same to the bit. */
export function createPlainKernel(buffer: ArrayBufferLike): ScanKernel {
  return {
    name: 'plain',
    int8({ rows, query, out, count, width }) {
      const sums = new Int32Array(buffer, out, count);
      scanPlainly(new Int8Array(buffer, rows, count * width), new Int16Array(buffer, query, width), sums);
    },
    float32({ rows, query, out, count, width }) {
      const sums = new Float32Array(buffer, out, count);
      scanPlainly(new Float32Array(buffer, rows, count * width), new Float32Array(buffer, query, width), sums);
    },
  };
}

function scanPlainly<T extends Int8Array | Int16Array | Int32Array | Float32Array>(
  rows: T,
  query: Int16Array | Float32Array,
  sums: Int32Array | Float32Array,
): void {
  const width = query.length;
  for (let row = 0; row < sums.length; row++) {
    const start = row * width;
    let left = 0;
    let right = 0;
    for (let place = 0; place < width; place += 2) {
      left += (rows[start + place] ?? 0) * (query[place] ?? 0);
      right += (rows[start + place + 1] ?? 0) * (query[place + 1] ?? 0);
    }
    sums[row] = left + right;
  }
}
