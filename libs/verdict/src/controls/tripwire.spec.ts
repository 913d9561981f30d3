import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import { wireText } from './tripwire.js';

let python: PythonSyntax;
beforeAll(async () => {
  python = await loadPythonSyntax();
});

const SENTINEL = 'abcdef0123456789';
function wire(text: string, name: string): string {
  const result = wireText(python, text, { file: 'm.py', function: name }, SENTINEL);
  if (!('text' in result)) throw new Error(result.reason);
  expect(result.text).not.toContain(SENTINEL);
  return result.text.replace(/exec\(".*?[^\\]", \{\}\); raise RuntimeError\("[\w-]+"\[::-1\]\)/g, 'TRIP');
}

describe('wireText', () => {
  it.each([
    ['a simple body', 'def f(x):\n    return x\n', 'f', 'def f(x):\n    TRIP; return x\n'],
    ['one line', 'def f(): return 1\n', 'f', 'def f(): TRIP; return 1\n'],
    ['a docstring', 'def f():\n    """Doc."""\n    return 1\n', 'f', 'def f():\n    """Doc."""; TRIP\n    return 1\n'],
    ['a docstring alone', 'def f():\n\t"""Doc.\n\n\tmore"""', 'f', 'def f():\n\t"""Doc.\n\n\tmore"""; TRIP'],
    ['a compound first statement', 'def f():\n\tif 1:\n\t\treturn 1\n', 'f', 'def f():\n\tTRIP\n\tif 1:\n\t\treturn 1\n'],
    ['CR LF', 'def f():\r\n  for i in x:\r\n    pass\r\n', 'f', 'def f():\r\n  TRIP\r\n  for i in x:\r\n    pass\r\n'],
    ['a byte order mark', '\ufeffdef f():\n  return 1\n', 'f', '\ufeffdef f():\n  TRIP; return 1\n'],
    ['decorators', '@d\n@e(1)\ndef f():\n  return 1\n', 'f', '@d\n@e(1)\ndef f():\n  TRIP; return 1\n'],
    [
      'a decorated first statement',
      'def f():\n  @d\n  def g(): pass\n  return g\n',
      'f',
      'def f():\n  TRIP\n  @d\n  def g(): pass\n  return g\n',
    ],
    [
      'many lines of parameters and a comment',
      'def f(\n    a,  # one\n    b=(1,\n       2),\n) -> int:  # two\n    # three\n    return a\n',
      'f',
      'def f(\n    a,  # one\n    b=(1,\n       2),\n) -> int:  # two\n    # three\n    TRIP; return a\n',
    ],
    ['async', 'async def f():\n  await g()\n', 'f', 'async def f():\n  TRIP; await g()\n'],
    [
      'a method',
      'class A:\n  def f(self): return 1\ndef f(): return 2\n',
      'A.f',
      'class A:\n  def f(self): TRIP; return 1\ndef f(): return 2\n',
    ],
    [
      'an inner function',
      'def a():\n  def b():\n    return 1\n  return b\n',
      'a.b',
      'def a():\n  def b():\n    TRIP; return 1\n  return b\n',
    ],
    [
      'every definition of a name',
      'if x:\n  def f(): return 1\nelse:\n  def f(): return 2\n',
      'f',
      'if x:\n  def f(): TRIP; return 1\nelse:\n  def f(): TRIP; return 2\n',
    ],
    ['an f-string that is no docstring', 'def f():\n  f"{x}"\n', 'f', 'def f():\n  TRIP; f"{x}"\n'],
    ['a match statement', 'def f(x):\n  match x:\n    case 1: pass\n', 'f', 'def f(x):\n  TRIP\n  match x:\n    case 1: pass\n'],
    [
      'a module',
      '#!/usr/bin/env python\n"""Doc."""\nfrom __future__ import annotations\nimport os\n',
      '<module>',
      '#!/usr/bin/env python\n"""Doc."""\nfrom __future__ import annotations; TRIP\nimport os\n',
    ],
    ['a module that begins with code', '# note\nwith x:\n  pass\n', '<module>', '# note\nTRIP\nwith x:\n  pass\n'],
    ['an empty module', '', '<module>', 'TRIP\n'],
  ])('wires %s', (_what, before, name, after) => {
    expect(wire(before, name)).toBe(after);
  });

  it('says so when there is no such function', () => {
    expect(wireText(python, 'x = lambda: 1\n', { file: 'm.py', function: 'x' }, SENTINEL)).toEqual({
      reason: 'no such function in the file',
    });
  });

  it('keeps every file parseable', () => {
    const statement = fc.constantFrom(
      'return 1',
      '"""doc"""',
      'if x:\n@    y()',
      'x = [\n1]',
      'yield 2',
      '# c\n@pass',
      'global q',
      'try:\n@  a()\n@finally:\n@  b()',
      'x = 1; y = 2',
    );
    const shape = fc.record({
      head: fc.constantFrom('def f(a):', 'async def f(*, a=1) -> int:  # c', '@d\n#def f(\n  a,\n):', 'def f(a: "x" = {1: 2}): # def g():'),
      indent: fc.constantFrom('  ', '\t', '        '),
      outer: fc.constantFrom('', ' ', '\t'),
      body: fc.array(statement, { minLength: 1, maxLength: 4 }),
      end: fc.constantFrom('\n', '\r\n'),
    });
    fc.assert(
      fc.property(shape, ({ head, indent, outer, body, end }) => {
        const inner = outer + indent;
        const lines = `${outer}${head.replaceAll('#def', `${outer}def`)}\n${body.map((text) => inner + text.replaceAll('@', inner)).join('\n')}\n`;
        const text = ((outer === '' ? '' : 'class C:\n') + lines).replaceAll('\n', end);
        const tree = python.parse(text);
        const valid = !tree.rootNode.hasError;
        tree.delete();
        fc.pre(valid);
        const wired = wire(text, outer === '' ? 'f' : 'C.f');
        expect(wired.match(/TRIP/g)).toHaveLength(1);
      }),
    );
  });
});
