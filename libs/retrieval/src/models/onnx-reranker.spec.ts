import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { condenseQuery } from './condense-query.js';
import { pairInputs } from './onnx-reranker.js';

/** One id for each character: enough to follow what goes where. */
const tokenizer = {
  classId: -1,
  separatorId: -2,
  encode: (text: string, limit: number) => Array.from(text.slice(0, Math.max(0, limit)), (letter) => letter.codePointAt(0)!),
};

describe('pairInputs', () => {
  it('keeps within the model, reads a long text in at most three overlapping windows, and leaves no gap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 512 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 0, max: 3000 }),
        (maxTokens, length, size) => {
          const query = Array.from({ length }, () => 7);
          const text = Array.from({ length: size }, (_, index) => String.fromCharCode(0x4000 + index)).join('');
          const inputs = pairInputs({ tokenizer, maxTokens }, query, text);
          expect(inputs.length).toBeGreaterThan(0);
          expect(inputs.length).toBeLessThanOrEqual(3);
          const read = new Set<number>();
          for (const { ids, types } of inputs) {
            expect(ids.length).toBeLessThanOrEqual(maxTokens);
            expect(types).toHaveLength(ids.length);
            expect(ids.slice(0, length + 2)).toEqual([-1, ...query, -2]);
            expect(types!.indexOf(1)).toBe(length + 2);
            expect(ids.at(-1)).toBe(-2);
            for (const id of ids.slice(length + 2, -1)) read.add(id - 0x4000);
          }
          expect([...read]).toEqual(Array.from({ length: read.size }, (_, index) => index));
          if (inputs.length < 3) expect(read.size).toBe(size);
        },
      ),
    );
  });
});

describe('condenseQuery', () => {
  const report = {
    errors: ['E'.repeat(60)],
    frames: [
      { file: 'a', function: 'outer' },
      { file: 'a', function: 'inner' },
      { file: 'a', function: '<module>' },
    ],
  };

  it('gives title, error, functions and symbols a share each', () => {
    const text = String.fromCodePoint(...condenseQuery({ ...report, title: 'T'.repeat(60), symbols: ['S', 'inner'] }, tokenizer, 96));
    expect(text).toBe(`${'T'.repeat(38)}${'E'.repeat(29)}inner outer S`);
  });

  it('leaves the room of what is short to the rest', () => {
    const text = String.fromCodePoint(...condenseQuery({ ...report, title: 'T', symbols: ['S'.repeat(100)] }, tokenizer, 96));
    expect(text).toBe(`T${'E'.repeat(60)}inner outer ${'S'.repeat(23)}`);
  });
});
