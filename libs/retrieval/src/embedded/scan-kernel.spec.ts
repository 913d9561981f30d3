import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainKernel, createSimdKernel } from './scan-kernel.js';
import { webAssembly } from './web-assembly.js';

const PAGE_BYTES = 65_536;

/** Fills a memory with rows and a query, scans it with both kernels. */
function scanBoth(
  count: number,
  width: number,
  fill: (rows: ArrayBufferView, query: ArrayBufferView) => void,
  isFloat: boolean,
): [ArrayLike<number>, ArrayLike<number>] {
  const memory = new webAssembly.Memory({ initial: 4, maximum: 4, shared: true });
  const places = { rows: 64, query: PAGE_BYTES, out: 2 * PAGE_BYTES, count, width };
  if (isFloat) fill(new Float32Array(memory.buffer, places.rows, count * width), new Float32Array(memory.buffer, places.query, width));
  else fill(new Int8Array(memory.buffer, places.rows, count * width), new Int16Array(memory.buffer, places.query, width));
  const results = [createSimdKernel(memory), createPlainKernel(memory.buffer)].map((kernel) => {
    if (isFloat) kernel.float32(places);
    else kernel.int8(places);
    return Array.from(isFloat ? new Float32Array(memory.buffer, places.out, count) : new Int32Array(memory.buffer, places.out, count));
  });
  return [results[0] ?? [], results[1] ?? []];
}

const shape = fc.record({ count: fc.integer({ min: 0, max: 9 }), steps: fc.integer({ min: 1, max: 6 }), seed: fc.integer() });

describe('the SIMD kernel', () => {
  it('gives the sums of the plain one to the bit for int8 rows, at the ends of the range too', () => {
    fc.assert(
      fc.property(
        shape,
        fc.infiniteStream(fc.integer({ min: -127, max: 127 })),
        fc.infiniteStream(fc.integer({ min: -32_767, max: 32_767 })),
        ({ count, steps }, codes, query) => {
          const width = 16 * steps;
          const [simd, plain] = scanBoth(
            count,
            width,
            (rows, asked) => {
              (rows as Int8Array).set(Int8Array.from({ length: count * width }, () => codes.next().value ?? 0));
              (asked as Int16Array).set(Int16Array.from({ length: width }, () => query.next().value ?? 0));
            },
            false,
          );
          expect(simd).toEqual(plain);
        },
      ),
    );
    const [simd, plain] = scanBoth(
      2,
      384,
      (rows, asked) => {
        (rows as Int8Array).fill(-127);
        (asked as Int16Array).fill(32_767);
      },
      false,
    );
    expect([simd, plain]).toEqual([
      [-127 * 32_767 * 384, -127 * 32_767 * 384],
      [-127 * 32_767 * 384, -127 * 32_767 * 384],
    ]);
  });

  it('gives the sums of the plain one within rounding for float rows', () => {
    fc.assert(
      fc.property(shape, fc.infiniteStream(fc.float({ min: -1, max: 1, noNaN: true })), ({ count, steps }, values) => {
        const width = 16 * steps;
        const [simd, plain] = scanBoth(
          count,
          width,
          (rows, asked) => {
            (rows as Float32Array).set(Float32Array.from({ length: count * width }, () => values.next().value ?? 0));
            (asked as Float32Array).set(Float32Array.from({ length: width }, () => values.next().value ?? 0));
          },
          true,
        );
        Array.from(simd).forEach((sum, row) => expect(Math.abs(sum - (plain[row] ?? 0))).toBeLessThanOrEqual(width * 1e-6));
      }),
    );
  });
});
