import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseShare, shareOf, WHOLE } from './share.js';

describe('a share', () => {
  it('of any list is disjoint from the others, and together they are the list', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 7 }), (entries, of) => {
        const all = Array.from({ length: of }, (_, index) => shareOf(entries, { number: index + 1, of })).flat();
        expect(all.sort()).toEqual([...entries].sort());
      }),
    );
    expect(shareOf(['a', 'b', 'c'], { number: 2, of: 2 })).toEqual(['b']);
    expect(shareOf(['a', 'b'], WHOLE)).toEqual(['a', 'b']);
  });

  it('is read from two numbers', () => {
    expect(parseShare('2/3')).toEqual({ number: 2, of: 3 });
  });

  it.each(['0/2', '3/2', '1', '1/0', '1/101', 'a/b', '1/2/3', ''])('is not %j', (text) => {
    expect(() => parseShare(text)).toThrow(/a share such as 1\/2/);
  });
});
