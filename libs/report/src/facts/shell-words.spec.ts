import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWords } from './shell-words.js';

describe('shellWords', () => {
  it.each([
    ['python a.py', ['python', 'a.py']],
    ['a "b c" \'d "e\'', ['a', 'b c', 'd "e']],
    ['a\\ b c', ['a b', 'c']],
    ['a "" b', ['a', '', 'b']],
    ['  ', []],
    ['a "b', null],
    ['$(rm -rf x) `y`', ['$(rm', '-rf', 'x)', '`y`']],
  ])('cuts %j', (command, words) => {
    expect(shellWords(command)).toEqual(words);
  });

  it('gives back every word that was quoted', () => {
    const word = fc.string({ maxLength: 12 }).filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        expect(shellWords(words.map((text) => `'${text}'`).join(' '))).toEqual(words);
      }),
    );
  });
});
