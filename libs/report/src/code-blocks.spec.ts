import { describe, expect, it } from 'vitest';
import { readReport } from './read-report.js';

function blocks(text: string): [string, string][] {
  return readReport(new TextEncoder().encode(`# Title\n\n${text}`)).codeBlocks.map((block) => [block.language, block.text]);
}

describe('readCodeBlocks', () => {
  it.each([
    ['```python\nimport torch\nx = 1\n```', ['python', 'import torch\nx = 1']],
    ['```\nimport torch\nx = torch.ones(2)\n```', ['python', 'import torch\nx = torch.ones(2)']],
    ['```\n$ python a.py\n```', ['shell', '$ python a.py']],
    ['```\nepoch 0 loss 1.0\nepoch 1 loss 0.9\n```', ['output', 'epoch 0 loss 1.0\nepoch 1 loss 0.9']],
    ['```python\nTraceback (most recent call last):\nKeyError: 1\n```', ['traceback', 'Traceback (most recent call last):\nKeyError: 1']],
    ['```\nlr: 0.1\nepochs: 3\n```', ['config', 'lr: 0.1\nepochs: 3']],
    ['```diff\n- a\n+ b\n```', ['diff', '- a\n+ b']],
    ['Code:\n\n    import torch\n\n    y = torch.ones(2)\n\nAfter.', ['python', 'import torch\n\ny = torch.ones(2)']],
    ['> ```python\n> import torch\n> ```', ['python', 'import torch']],
    ['1. First\n   ```python\n   import torch\n   ```', ['python', 'import torch']],
    ['<pre><code>\nimport torch\n</code></pre>', ['python', 'import torch']],
    ['~~~~\n```\nx = f(1)\n~~~~', ['python', '```\nx = f(1)']],
  ])('reads %j', (text, expected) => {
    expect(blocks(text)).toEqual([expected]);
  });

  it('reads an open fence to the end and makes no block of an empty one', () => {
    expect(blocks('```\nepoch 0\n')).toEqual([['output', 'epoch 0\n']]);
    expect(blocks('```\n\n```\n')).toEqual([]);
  });

  it('takes instructions of a template for no code', () => {
    expect(blocks('<!--\n```\nimport torch\n```\n-->\ntext')).toEqual([]);
  });
});

describe('titles', () => {
  const title = (text: string) => readReport(new TextEncoder().encode(text)).title;
  it.each([
    ['# Fails on CPU #\n\nBody', 'Fails on CPU'],
    ['Subject: Re: it fails\n\nBody', 'Re: it fails'],
    ['**Describe the bug**\n\nThe run stops.', 'The run stops.'],
    ['### 🐛 Describe the bug\n\nThe run stops.', 'The run stops.'],
    ['Fails on CPU\n\nBody', 'Fails on CPU'],
    ['Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: 1\n', 'KeyError: 1'],
    ['', ''],
  ])('titles %j', (text, expected) => {
    expect(title(text)).toBe(expected);
  });
});
