import { walkPython } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { python, subject } from './fixtures/rule-bench.js';
import { choicesOf } from './literal-choices.js';
import { followScript } from './script-flow.js';

function choices(text: string): string[] {
  const flow = followScript(python, [{ path: 'repro.py', text }], subject);
  const source = flow?.sources[0];
  if (flow === null || source === undefined) throw new Error('the script cannot be read');
  try {
    const call = [...walkPython(source.root)].findLast(
      (node) => node.type === 'call' && node.childForFieldName('function')?.text === 'show',
    );
    const given = call?.childForFieldName('arguments')?.namedChild(0);
    if (!given) throw new Error('nothing is shown');
    return choicesOf(flow.scopes, given, source);
  } finally {
    flow.dispose();
  }
}

describe('choicesOf', () => {
  it.each([
    ['show(3)', ['3']],
    ['show(-2.5)', ['-2.5']],
    ['show((3))', ['3']],
    ['show(1 if a else 2)', ['1', '2']],
    ['show(1 if a else b)', []],
    ['show({"a": 1, "b": 2}[k])', ['1', '2']],
    ['show([1, 2, 2][k])', ['1', '2']],
    ['show((1, 2)[k])', ['1', '2']],
    ['show(table[k])', []],
    ['show(float(3))', ['3']],
    ['show(abs(-3))', ['-3']],
    ['show(measure(3))', []],
    ['show(1 + 2)', []],
    ['show("a")', []],
    ['show(-n)', []],
    ['show(0.9 + 11.6 * (a > b))', ['0.9', '12.5']],
    ['show(2 ** (a > b) + 1)', ['2', '3']],
    ['show(12.5 * bool(a > b))', ['0', '12.5']],
    ['show(7 // (1 + (a > b)))', ['7', '3']],
    ['show(7 % 4 - (a > b))', []],
    ['show(5 - 2 * (not a))', ['5', '3']],
    ['show((3 if a else 5) / 2)', ['1.5', '2.5']],
    ['show(100 * (a == b))', []],
    ['show(100.0 * int(a == b))', []],
    ['show((a > b) + (b > c))', []],
    ['show(int(a > b) + int(b > c) + int(c > d))', []],
    ['show(1 - (a > b))', []],
    ['show(a * (b > c))', []],
  ])('of %s are %j', (text, expected) => {
    expect(choices(`${text}\n`)).toEqual(expected);
  });

  it.each([
    ['n = 1\nif a:\n    n = 2\nshow(n)', ['1', '2']],
    ['n = 1\nn += 1\nshow(n)', []],
    ['n = 1\nn = measure()\nshow(n)', []],
    ['n, m = 1, 2\nshow(n)', []],
    ['n = a > b\nshow(2 + 3 * n)', ['2', '5']],
    ['n = a > b\nn = measure()\nshow(2 + 3 * n)', []],
    ['n = 0\nfor k in a:\n    n += k > 1\nshow(2 + 3 * n)', []],
    ['for n in [1, 2]:\n    show(n)', ['1', '2']],
    ['for n in (1, 2) if a else [3]:\n    show(n)', ['1', '2', '3']],
    ['rows = [1, 2]\nfor n in rows:\n    show(n)', ['1', '2']],
    ['for n in measure():\n    show(n)', []],
    ['for a, n in zip(rows, [1, 2]):\n    show(n)', ['1', '2']],
    ['for n, a in zip(rows, [1, 2]):\n    show(n)', []],
    ['for i, n in enumerate([1, 2]):\n    show(n)', ['1', '2']],
    ['for n, i in enumerate([1, 2]):\n    show(n)', []],
    ['def f(n):\n    show(n)\nf(1)', []],
    ['def f():\n    n = 2\n    show(n)\nn = 1', ['2']],
    ['show(unbound)', []],
  ])('of a name, %j: %j', (text, expected) => {
    expect(choices(`${text}\n`)).toEqual(expected);
  });

  it('are looked for six expressions deep', () => {
    const nested = (depth: number) => choices(`show(${'('.repeat(depth)}1${')'.repeat(depth)})\n`);
    expect([nested(6), nested(7)]).toEqual([['1'], []]);
  });
});
