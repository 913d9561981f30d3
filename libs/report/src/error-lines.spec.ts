import { describe, expect, it } from 'vitest';
import { readReport } from './read-report.js';

function read(text: string) {
  return readReport(new TextEncoder().encode(`# Title\n\n${text}`));
}

describe('error lines', () => {
  it.each([
    ['```\nepoch 1\nKilled\n```', ['Killed']],
    [
      '```\n./run.sh: line 3: 4021 Segmentation fault (core dumped) python a.py\n```',
      ['./run.sh: line 3: 4021 Segmentation fault (core dumped) python a.py'],
    ],
    ['```\nRuntimeError: something broke\n```', ['RuntimeError: something broke']],
    ['```\nCUDA error: an illegal memory access was encountered\n```', ['CUDA error: an illegal memory access was encountered']],
    ['```\nterminate called after throwing an instance of c10::Error\n```', ['terminate called after throwing an instance of c10::Error']],
    ['It ends with an `IndexError`.', ['IndexError']],
    ['It ends with `ValueError: no rows`.', ['ValueError: no rows']],
    ['There is no KeyError.', []],
    ['Expected: a ValueError.', []],
    ['Maybe a KeyError is swallowed.', []],
    ['It should raise a ValueError but ends in a KeyError.', ['KeyError']],
    ['```\nepoch 1 loss 0.5\n```', []],
  ])('reads %j', (text, expected) => {
    expect(read(text).errorLines.map((line) => line.text)).toEqual(expected);
  });

  it('names the rank of a prefixed line', () => {
    expect(read('```\n[rank1]: RuntimeError: something broke\n```').errorLines).toMatchObject([
      { text: 'RuntimeError: something broke', rank: 1 },
    ]);
  });
});

describe('warnings', () => {
  it.each([
    ['train.py:12: UserWarning: lr is zero', 'UserWarning', 'lr is zero'],
    ['/usr/lib/python3/site-packages/torch/x.py:7: FutureWarning: old call', 'FutureWarning', 'old call'],
    ['DeprecationWarning: old name', 'DeprecationWarning', 'old name'],
    ['[W reducer.cpp:1251] Warning: find_unused_parameters was set', 'native', 'find_unused_parameters was set'],
    ['WARNING:root:disk is nearly full', 'log', 'disk is nearly full'],
  ])('reads %j', (line, category, message) => {
    expect(read(`\`\`\`\n${line}\n\`\`\``).warnings).toMatchObject([{ category, message }]);
  });

  it('takes prose about warnings for none', () => {
    expect(read('No error or warning. A warning would help.').warnings).toEqual([]);
  });
});
