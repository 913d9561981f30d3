import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine, plainLines } from './plain-text.js';

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);

describe('plainLines', () => {
  it.each([
    ['colours', `${ESC}[1;31mred${ESC}[0m`, ['red']],
    ['a window title', `${ESC}]0;owned${BEL}after`, ['after']],
    ['a hyperlink', `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, ['text']],
    ['a device string', `${ESC}Ppayload${ESC}\\after`, ['after']],
    ['an unfinished sequence', `a${ESC}[31`, ['a']],
    ['a lone escape', `a${ESC}`, ['a']],
    ['eight-bit controls', `a${String.fromCharCode(0x9b)}31mb`, ['a31mb']],
    ['carriage returns', 'one\rtwo\r\nthree', ['one', 'two', 'three']],
    ['direction overrides', 'safe\u202Egnp.exe', ['safegnp.exe']],
    ['zero bytes and backspaces', 'a\u0000b\bc', ['abc']],
    ['a tab', 'a\tb', ['a  b']],
  ])('takes %s out', (_, text, lines) => {
    expect(plainLines(text)).toEqual(lines);
  });

  it('leaves nothing invisible, whatever comes', () => {
    const pieces = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, BEL, '\u202e', '\r', '\n', '\ud800'));
    fc.assert(fc.property(fc.array(pieces), (parts) => plainLines(parts.join('')).every((line) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(line))));
  });
});

describe('plainLine', () => {
  it('cuts by characters, never through one', () => {
    expect(plainLine('😀'.repeat(10), 4)).toBe('😀😀😀…');
    expect(plainLine(' a\n\n b ', 10)).toBe('a b');
    expect(plainLine('x'.repeat(5_000_000), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});
