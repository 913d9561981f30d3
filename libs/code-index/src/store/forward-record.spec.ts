import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '../chunk.js';
import { tokenise } from '../tokenise.js';
import { countTokens, decodeForward, encodeForward, tokensOfRow } from './forward-record.js';

function chunkOf(text: string, kind: Chunk['kind'] = 'function'): Chunk {
  return { file: 'pkg/deepMod.py', kind, name: 'Net.forward_pass', startLine: 1, endLine: 1, text, quality: 'clean' };
}

describe('forward records', () => {
  it('hold what tokenising each chunk gives, whatever the text', () => {
    const word = fc.constantFrom(
      'batch_size',
      'HTTPServer',
      'x',
      '__init__',
      '___',
      'größeX',
      '损失_loss',
      'conv2d',
      '\ud800',
      '…',
      'a'.repeat(300),
    );
    const texts = fc.array(
      fc.oneof(
        fc.array(word).map((words) => words.join(' ')),
        fc.string({ unit: 'binary' }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, (list) => {
        const record = decodeForward(
          encodeForward(
            countTokens(
              'pkg/deepMod.py',
              list.map((text) => chunkOf(text)),
            ),
          ),
        );
        list.forEach((text, row) => {
          expect(tokensOfRow(record, record.text, row).sort()).toEqual(tokenise(text).sort());
          expect(tokensOfRow(record, record.name, row)).toEqual(['net', 'forward_pass', 'forward', 'pass']);
        });
        expect(tokensOfRow(record, record.path, 0)).toEqual(['pkg', 'deepmod', 'deep', 'mod', 'py']);
        expect(new Set(record.terms).size).toBe(record.terms.length);
      }),
    );
  });

  it('give no name tokens to chunks without a name of their own', () => {
    const record = countTokens(
      'a.py',
      (['run', 'window', 'cell', 'readme'] as const).map((kind) => chunkOf('x', kind)),
    );
    expect([0, 1, 2, 3].map((row) => tokensOfRow(record, record.name, row).length)).toEqual([0, 0, 0, 4]);
  });

  it('count more than a narrow array holds', () => {
    const record = decodeForward(encodeForward(countTokens('a.py', [chunkOf('loss '.repeat(70_000))])));
    expect(record.text.counts).toEqual(new Uint32Array([70_000]));
  });

  it('refuse bytes that are cut off or no record', () => {
    const bytes = encodeForward(countTokens('a.py', [chunkOf('def f(): pass')]));
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeForward(bytes.subarray(0, length)), String(length)).toThrow(RangeError);
    expect(() => decodeForward(new Uint8Array(64).fill(7))).toThrow(RangeError);
  });
});
