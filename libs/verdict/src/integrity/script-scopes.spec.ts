import { walkPython } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { python } from './fixtures/rule-bench.js';
import { bindingOf, collectScopes, functionAround, targetNames, targetOf, type Scopes, type ScriptSource } from './script-scopes.js';

function withScopes<T>(text: string, ask: (scopes: Scopes, source: ScriptSource) => T): T {
  const tree = python.parse(text);
  const source: ScriptSource = { file: { path: 'repro.py', text }, root: tree.rootNode };
  try {
    return ask(collectScopes([source]), source);
  } finally {
    tree.delete();
  }
}

/** Where the last `x` of a script is bound: `module`, the name of a function, `lambda`, or null. */
const boundIn = (text: string): string | null =>
  withScopes(`${text}\n`, (scopes, source) => {
    const node = [...walkPython(source.root)].findLast((inner) => inner.type === 'identifier' && inner.text === 'x');
    const key = node === undefined ? null : bindingOf(scopes, source, node, 'x');
    if (key === null) return null;
    const fn = [...scopes.functions.values()].find((other) => key === `${other.key}/x`);
    return fn === undefined ? 'module' : fn.name || 'lambda';
  });

describe('bindingOf', () => {
  it.each([
    ['show(x)', null],
    ['x = 1\nshow(x)', 'module'],
    ['x += 1\nshow(x)', 'module'],
    ['x.a = 1\nshow(x)', null],
    ['x[0] = 1\nshow(x)', null],
    ['a, (b, x) = 1, (2, 3)\nshow(x)', 'module'],
    ['for x in rows:\n    pass\nshow(x)', 'module'],
    ['rows = [x for x in rows]', 'module'],
    ['if (x := 1):\n    show(x)', 'module'],
    ['with open("a") as x:\n    show(x)', 'module'],
    ['try:\n    pass\nexcept ValueError as x:\n    show(x)', 'module'],
    ['match a:\n    case [x, 1]:\n        show(x)', 'module'],
    ['match a:\n    case b.x:\n        show(x)', null],
    ['class x: pass\nshow(x)', 'module'],
    ['def x(): pass\nshow(x)', 'module'],
    ['import x\nshow(x)', 'module'],
    ['import a.x\nshow(x)', null],
    ['import x.a\nshow(x)', 'module'],
    ['import a as x\nshow(x)', 'module'],
    ['from a import x\nshow(x)', 'module'],
    ['from x import a\nshow(x)', null],
    ['from a import x as b\nshow(x)', null],
    ['def f():\n    x = 1\nshow(x)', null],
    ['x = 0\ndef f():\n    x = 1\n    show(x)', 'f'],
    ['x = 0\ndef f():\n    show(x)', 'module'],
    ['x = 0\ndef f():\n    global x\n    x = 1\n    show(x)', 'module'],
    ['x = 0\ndef f():\n    global y\n    x = 1\n    show(x)', 'f'],
    ['def f():\n    x = 1\n    def g():\n        show(x)', 'f'],
    ['def f():\n    x = 1\n    def g():\n        x = 2\n        show(x)', 'g'],
    ['def f(x):\n    show(x)', 'f'],
    ['def f(x: int):\n    show(x)', 'f'],
    ['def f(x=1):\n    show(x)', 'f'],
    ['def f(x: int = 1):\n    show(x)', 'f'],
    ['def f(*x):\n    show(x)', 'f'],
    ['def f(**x):\n    show(x)', 'f'],
    ['def f(*x: int):\n    show(x)', 'f'],
    ['def f(a=x):\n    pass', null],
    ['f = lambda x: show(x)', 'lambda'],
    ['def f():\n    def x(): pass\nshow(x)', null],
    ['def f():\n    import x\n    show(x)', 'f'],
  ])('in %j: %s', (text, expected) => {
    expect(boundIn(text)).toBe(expected);
  });
});

describe('collectScopes', () => {
  it('keeps what each import stands for', () => {
    const imports = withScopes(
      'import a.b\nimport a.c as d\nfrom e import f, g as h\nfrom .i import j\nfrom k import *\nfrom l import (m, n)\n',
      (scopes, source) => ({
        named: Object.fromEntries([...scopes.imports].map(([key, { module, member }]) => [key.split('/')[1] ?? '', [module, member]])),
        stars: scopes.stars.get(source),
      }),
    );
    expect(imports).toEqual({
      named: { a: ['a', null], d: ['a.c', null], f: ['e', 'f'], h: ['e', 'g'], j: ['i', 'j'], m: ['l', 'm'], n: ['l', 'n'] },
      stars: ['k'],
    });
  });

  it('lists functions by name, all of the same name, and lambdas under none', () => {
    const found = withScopes(
      'def f(a, b=1, *c, d, **e): pass\nclass A:\n    def f(self, /, g: int): pass\nh = lambda i: i\n',
      (scopes) => ({
        byName: Object.fromEntries([...scopes.byName].map(([name, own]) => [name, own.map((fn) => fn.parameters)])),
        all: scopes.functions.size,
      }),
    );
    expect(found).toEqual({
      byName: {
        f: [
          ['a', 'b', 'c', 'd', 'e'],
          ['self', 'g'],
        ],
      },
      all: 3,
    });
  });

  it('finds the innermost function around a node, never the node itself', () => {
    const around = withScopes('def f():\n    def g():\n        pass\n', (scopes, source) =>
      [...walkPython(source.root)]
        .filter((node) => node.type === 'function_definition' || node.type === 'pass_statement')
        .map((node) => functionAround(scopes, source, node)?.name ?? null),
    );
    expect(around).toEqual([null, 'f', 'g']);
  });
});

describe('targetNames', () => {
  it.each([
    ['a.b = 1', []],
    ['a[i] = 1', []],
    ['f().b = 1', []],
    ['a, *b = 1, 2', ['a', 'b']],
    ['[a, (b.c, d)] = rows', ['a', 'd']],
    ['for a, b in rows: pass', ['a', 'b']],
    ['print(a)', []],
  ])('of %s are %j', (text, expected) => {
    const names = withScopes(`${text}\n`, (_, source) =>
      [...walkPython(source.root)].flatMap((node) => {
        const target = targetOf(node);
        return target === null ? [] : targetNames(target);
      }),
    );
    expect(names).toEqual(expected);
  });
});
