import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvidence } from './evidence-reader.js';
import { formatEvidence } from './evidence-writer.js';
import type { ScriptedRecord } from './evidence-writer.js';

const begin: ScriptedRecord = { kind: 'begin', protocol: 1, sandbox: 'none', isolation: [], kernel: 'k', cpus: 2 };
const line = (text: string): ScriptedRecord => ({ kind: 'stream', channel: 'stdout', line: text });

function withEnd(lines: string[]): Uint8Array {
  const body = lines.map((text) => `${text}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const end = { seq: lines.length, t: 1, source: 'supervisor', kind: 'end', records: lines.length, sha256, leftBehind: 0 };
  return Buffer.from(`${body}${JSON.stringify(end)}\n`);
}

const beginLine = JSON.stringify({ ...begin, seq: 0, t: 0, source: 'supervisor' });

describe('parseEvidence', () => {
  it('reads back what was written, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const records = parseEvidence(formatEvidence([begin, ...texts.map(line)]));
        expect(records.flatMap((record) => (record.kind === 'stream' ? [record.line] : []))).toEqual(texts);
      }),
    );
  });

  it('rejects a stream cut at any byte', () => {
    const bytes = formatEvidence([begin, line('a'), line('b')]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), (length) => {
        expect(() => parseEvidence(bytes.subarray(0, length))).toThrow('not whole');
      }),
    );
  });

  it('rejects a stream with any byte changed before the END record', () => {
    const bytes = formatEvidence([begin, line('abc')]);
    const body = bytes.lastIndexOf(10, bytes.length - 2);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: body }), fc.integer({ min: 1, max: 127 }), (position, change) => {
        const forged = Uint8Array.from(bytes);
        forged[position] = (forged[position] ?? 0) ^ change;
        expect(() => parseEvidence(forged)).toThrow('not whole');
      }),
    );
  });

  it.each([
    [
      'an END record in the middle',
      [beginLine, '{"seq":1,"t":1,"source":"supervisor","kind":"end","records":1,"sha256":"","leftBehind":0}'],
    ],
    ['a gap in the sequence', [beginLine, '{"seq":2,"t":1,"source":"supervisor","kind":"notice","code":"c","message":"m"}']],
    ['an unknown kind', [beginLine, '{"seq":1,"t":1,"source":"supervisor","kind":"verdict"}']],
    ['no BEGIN record', ['{"seq":0,"t":1,"source":"supervisor","kind":"notice","code":"c","message":"m"}']],
  ])('rejects %s', (_name, lines) => {
    expect(() => parseEvidence(withEnd(lines))).toThrow('not whole');
  });
});
