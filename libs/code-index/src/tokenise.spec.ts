import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenise } from './tokenise.js';

const fixture = JSON.parse(readFileSync(new URL('tokenise.fixture.json', import.meta.url), 'utf8')) as Record<string, string[]>;

describe('tokenise', () => {
  it.each(Object.entries(fixture))('splits %j as pinned', (text, tokens) => {
    expect(tokenise(text)).toEqual(tokens);
  });

  it('drops tokens over 64 characters but keeps one of 64', () => {
    expect(tokenise('a'.repeat(65))).toEqual([]);
    expect(tokenise('a'.repeat(64))).toEqual(['a'.repeat(64)]);
  });

  it('gives lower-case tokens without separators for any text, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const tokens = tokenise(text);
        expect(tokens).toEqual(tokenise(text));
        for (const token of tokens) {
          expect(token).toMatch(/^[\p{L}\p{N}\p{M}_]+$/u);
          expect(token).toBe(token.toLowerCase());
        }
      }),
    );
  });
});
