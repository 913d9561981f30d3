import { walkPython } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { python, subject } from './fixtures/rule-bench.js';
import { collectNameValues } from './name-values.js';
import { followScript } from './script-flow.js';

/** Values that the last `x` of a script may have; `+` before what goes on top of another one. */
function valuesOf(text: string): string[] {
  const flow = followScript(python, [{ path: 'repro.py', text: `${text}\n` }], subject);
  const source = flow?.sources[0];
  if (flow === null || source === undefined) throw new Error('the script cannot be read');
  try {
    const name = [...walkPython(source.root)].findLast((node) => node.type === 'identifier' && node.text === 'x');
    if (name === undefined) throw new Error('nothing is called x');
    return collectNameValues(flow)
      .of(name, source)
      .map(({ value, isAdded }) => `${isAdded ? '+' : ''}${value.text}`);
  } finally {
    flow.dispose();
  }
}

describe('collectNameValues', () => {
  it.each([
    ['show(x)', []],
    ['x = 1\nx = 2\nshow(x)', ['1', '2']],
    ['x = 1\nx += 2\nshow(x)', ['1', '+2']],
    ['x, y = 1, 2\nshow(x)', ['1']],
    ['y, x = (1, 2)\nshow(x)', ['2']],
    ['y, x = rows\nshow(x)', ['rows']],
    ['y, *x = 1, 2, 3\nshow(x)', ['1, 2, 3']],
    ['y, (x, z) = 1, rows\nshow(x)', []],
    ['y, x = [1, 2]\nshow(x)', ['[1, 2]']],
    ['for x in rows:\n    show(x)', ['rows']],
    ['[x for x in rows]', ['rows']],
    ['(x := 3)\nshow(x)', ['3']],
    ['x = 1\ndef f():\n    x = 2\n    show(x)', ['2']],
    ['x = []\nx.append(3)\nshow(x)', ['[]', '+3']],
    ['x = []\nx.insert(0, 3)\nshow(x)', ['[]', '+3']],
    ['x = []\nx.remove(3)\nshow(x)', ['[]']],
    ['x = []\nx.clear()\nx.extend()\nshow(x)', ['[]']],
    ['x = []\nx.rows.append(3)\nshow(x)', ['[]']],
    ['x = []\nx[0] = 3\nshow(x)', ['[]', '+3']],
    ['x = []\nx[0] += 3\nshow(x)', ['[]', '+3']],
    ['x = A()\nx.a = 3\nshow(x)', ['A()', '+3']],
    ['x = A()\nx.a: int\nshow(x)', ['A()']],
    ['x = A()\nx.a.b = 3\nshow(x)', ['A()']],
    ['x = {}\nif "a" in known:\n    x["a"] = 3\nshow(x)', ['{}']],
    ['x = {}\nif "b" in known:\n    x["a"] = 3\nshow(x)', ['{}', '+3']],
    ['x = {}\nif key in known:\n    x[key] = 3\nshow(x)', ['{}', '+3']],
    ['x = {}\nif "a" in known:\n    for y in rows:\n        x["a"] = 3\nshow(x)', ['{}']],
    ['x = {}\nif "a" in known:\n    if y:\n        x["a"] = 3\nshow(x)', ['{}', '+3']],
  ])('of x in %j: %j', (text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });

  it.each([
    ['def f(x):\n    show(x)', []],
    ['f(1)\nf(2)\ndef f(x):\n    show(x)', ['1', '2']],
    ['f(1)\ndef f(x=3):\n    show(x)', ['3', '1']],
    ['f(1)\ndef f(x: int = 3):\n    show(x)', ['3', '1']],
    ['f(1, 2)\ndef f(y, x):\n    show(x)', ['2']],
    ['f(1, # first\n  2)\ndef f(y, x):\n    show(x)', ['2']],
    ['f(x=1, y=2)\ndef f(y, x):\n    show(x)', ['1']],
    ['f(2, x=1)\ndef f(x, y):\n    show(x)', ['2', '1']],
    ['f(1)\ndef f(y, x=3):\n    show(x)', ['3']],
    ['A().f(1)\nclass A:\n    def f(self, x):\n        show(x)', ['1']],
    ['A.f(1, 2)\nclass A:\n    @classmethod\n    def f(cls, x, y):\n        show(x)', ['1']],
    ['A.f(1, 2)\nclass A:\n    @staticmethod\n    def f(y, x):\n        show(x)', ['2']],
    ['f(1, 2)\ndef f(self, x):\n    show(x)', ['2']],
    ['g(1)\ndef f(x):\n    show(x)', []],
    ['f(1)\ndef f(y):\n    x = 2\n    show(x)', ['2']],
  ])('of a parameter, in %j: %j', (text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });
});
