import { describe, expect, it } from 'vitest';
import { decodeSource, looksBinary } from './decode-source.js';

describe('decodeSource', () => {
  it('obeys a declared encoding in the first two lines only', () => {
    const body = Buffer.from('x = "\xe9"\n', 'latin1');
    expect(decodeSource(Buffer.concat([Buffer.from('# -*- coding: latin-1 -*-\n'), body]))).toContain('"é"');
    expect(decodeSource(Buffer.concat([Buffer.from('#!/usr/bin/python\n# vim: set fileencoding=iso_8859_1 :\n'), body]))).toContain('"é"');
    expect(decodeSource(Buffer.concat([Buffer.from('\n\n# coding: latin-1\n'), body]))).toContain('"\uFFFD"');
  });

  it('falls back to UTF-8 for an unknown encoding, and removes marks, carriage returns and NULs', () => {
    expect(decodeSource(Buffer.from('\uFEFF# coding: klingon\r\nä\0\rb'))).toBe('# coding: klingon\nä \nb');
  });

  it('tells binary by a NUL', () => {
    expect(looksBinary(new Uint8Array([1, 0]))).toBe(true);
    expect(looksBinary(Buffer.from('text'))).toBe(false);
  });
});
