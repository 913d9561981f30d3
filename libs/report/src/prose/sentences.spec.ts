import { describe, expect, it } from 'vitest';
import { readReport } from '../read-report.js';
import { clausesOf } from './stance.js';

function stances(text: string): [string, string][] {
  return readReport(new TextEncoder().encode(`# Title\n\n${text}`))
    .sentences.slice(1)
    .map((sentence) => [sentence.stance, sentence.text]);
}

describe('readSentences', () => {
  it.each([
    ['The second step raises a KeyError.', 'observed'],
    ['The loss is nan from step 3 on.', 'observed'],
    ['Expected: both workers finish.', 'expected'],
    ['It should be between 0 and 1.', 'expected'],
    ['I suspect the data loader.', 'guess'],
    ['Maybe the lock is not released.', 'guess'],
    ['With one process it works.', 'contrast'],
    ['During training the same works.', 'contrast'],
    ['Validation does not show it.', 'contrast'],
    ['torch 2.6 on CPU.', 'neutral'],
    ['There is no error.', 'neutral'],
    ['On one process it is fine, with two it crashes.', 'observed'],
    ['It works for three epochs and then raises a KeyError.', 'observed'],
    ['It fails with "expected scalar type Half but found Float".', 'observed'],
    ['The score is 1.4, it should be below 1.', 'observed'],
  ])('%j is %s', (sentence, stance) => {
    expect(stances(sentence)).toEqual([[stance, sentence]]);
  });

  it('lets headings decide', () => {
    expect(
      stances('## Expected behaviour\n\nA ValueError is raised.\n\n## Actual behaviour\n\nIt raises a KeyError.').map(([stance]) => stance),
    ).toEqual(['expected', 'observed']);
    expect(
      stances('**Expected**\nThe run ends with a file.\n\n**What happens**\nNothing more is printed.').map(([stance]) => stance),
    ).toEqual(['expected', 'observed']);
  });

  it('cuts at sentence ends only', () => {
    expect(
      stances('I run train.py with lr 0.1 e.g. on CPU. It is 1.098... in every epoch. The call `a. b` stays. it fails! Why?').map(
        ([, text]) => text,
      ),
    ).toEqual(['I run train.py with lr 0.1 e.g. on CPU.', 'It is 1.098... in every epoch.', 'The call `a. b` stays.', 'it fails!', 'Why?']);
  });

  it('leaves code, tables, comments and traces out', () => {
    const text =
      'One.\n\n<!-- describe\nthe error here. -->\n\n```\nIt fails.\n```\n\n| It | fails. |\n| --- | --- |\n\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: 1\n';
    expect(stances(text).map(([, sentence]) => sentence)).toEqual(['One.']);
  });

  it('reads list items as sentences of their own', () => {
    expect(stances('- it fails\n- it hangs\n').map(([, text]) => text)).toEqual(['it fails', 'it hangs']);
  });
});

describe('clausesOf', () => {
  it('never cuts inside of quotations and brackets', () => {
    expect(clausesOf('It ends with "in range [-1, 0], but got 1", but only once')).toEqual([
      'It ends with "in range [-1, 0], but got 1"',
      'but only once',
    ]);
  });

  it('keeps what was wanted apart from what came', () => {
    expect(clausesOf('It gives an IndexError instead of a ValueError')).toEqual(['It gives an IndexError', ' instead of a ValueError']);
  });
});
