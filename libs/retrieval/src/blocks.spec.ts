import type { ContextBlock } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { addBlock, BUDGET_BYTES, manifestOf, overlapShare, startSelection } from './blocks.js';

function block(file: string, text: string): ContextBlock {
  return { role: 'snippet', file, startLine: 1, endLine: text.split('\n').length, name: file, text, score: 1 };
}

describe('the manifest of what was cut', () => {
  it('names what does not fit with its lines, forty at most, and counts the rest', () => {
    const selection = startSelection();
    const long = `${'x'.repeat(BUDGET_BYTES.snippet)}\ny`;
    for (let index = 0; index < 45; index++) expect(addBlock(selection, block(`m${index}.py`, long))).toBe(false);
    const manifest = manifestOf(selection);
    expect(manifest).toHaveLength(41);
    expect(manifest[0]).toBe('m0.py:1-2 m0.py');
    expect(manifest.at(-1)).toBe('and 5 more');
  });

  it('says nothing of lines that are shown already', () => {
    const selection = startSelection();
    expect([
      addBlock(selection, block('a.py', 'x\ny')),
      addBlock(selection, block('a.py', 'y')),
      addBlock(selection, block('b.py', 'y')),
    ]).toEqual([true, false, true]);
    expect(manifestOf(selection)).toEqual([]);
  });
});

describe('the overlap of two contexts', () => {
  it('is the share of the smaller one', () => {
    expect(overlapShare(new Set(['a', 'b']), new Set(['b', 'c', 'd']))).toBe(0.5);
    expect(overlapShare(new Set(), new Set(['a']))).toBe(0);
  });
});
