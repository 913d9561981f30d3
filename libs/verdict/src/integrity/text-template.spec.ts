import { walkPython } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { python, subject } from './fixtures/rule-bench.js';
import { followScript } from './script-flow.js';
import { HOLE, joinTemplates, templateOf, type Template } from './text-template.js';

/** What the right side of the last assignment to `x` folds to. */
function folded(text: string): Template {
  const flow = followScript(python, [{ path: 'repro.py', text }], subject);
  const source = flow?.sources[0];
  if (flow === null || source === undefined) throw new Error('the script cannot be read');
  try {
    const right = [...walkPython(source.root)]
      .filter((node) => node.type === 'assignment' && node.childForFieldName('left')?.text === 'x')
      .at(-1)
      ?.childForFieldName('right');
    if (!right) throw new Error('nothing is assigned to x');
    return templateOf(flow, right, source);
  } finally {
    flow.dispose();
  }
}
/** Computed parts as □. */
const shape = (text: string): string =>
  [...folded(text).text].map((character) => (character >= HOLE.first && character <= HOLE.last ? '□' : character)).join('');

describe('templateOf', () => {
  it.each([
    ['3', '3'],
    ['-2.5', '-2.5'],
    ['1e-3', '1e-3'],
    ['0x1F', '31'],
    ['0b11', '3'],
    ['1_000', '1000'],
    ['3j', '3j'],
    ['True', 'True'],
    ['None', 'None'],
    ['-n', '□'],
    ['-(3)', '□'],
    ['("a")', 'a'],
    ['"a" "b"', 'ab'],
    ['f"{1}b{n}c{m}"', '1b□c□'],
    ['f"{2.5:.1f}"', '2.5'],
    ['"{{a}} {{}}"', '{a} {}'],
    ['"a" + str(1)', 'a1'],
    ['str(1) + "a"', '1a'],
    ['1 + 2', '□'],
    ['"a" * 3', '□'],
    ['"%d of %s" % (1, "b")', '1 of b'],
    ['"%(a)5.2f" % 3', '3'],
    ['"%d and %d" % 3', '3 and 3'],
    ['3 % 2', '□'],
    ['"a%db" % ()', 'ab'],
    ['f"{n} %d" % 3', '□ 3'],
    ['f"{n} %s" % m', '□ □'],
    ['f"{n} {{}}".format(3)', '□ 3'],
    ['f"{n}".join(["a", "b", "c"])', 'a□b□c'],
    ['"{} {:.2f}".format(1, 2.5)', '1 2.5'],
    ['"{a}!".format(a=1)', '1!'],
    ['", ".join(["a", "b"])', 'a, b'],
    ['"-".join(("a", "b", n))', 'a-b-□'],
    ['"-".join(n)', '□'],
    ['n.join(["a"])', '□'],
    ['"a".encode()', 'a'],
    ['" a ".strip()', ' a '],
    ['textwrap.dedent("a")', 'a'],
    ['"a".upper()', '□'],
    ['float(3)', '3'],
    ['repr("a")', 'a'],
    ['str("a", "b")', '□'],
    ['[1, 2]', '□'],
  ])('folds %s to %s', (expression, text) => {
    expect(shape(`x = ${expression}\n`)).toBe(text);
  });

  it('reads escapes as Python does, and none in a raw text', () => {
    expect(folded('x = "a\\n\\t\\x41\\u0042\\\\\\q"\n').text).toBe('a\n\tAB\\\\q');
    expect(folded('x = r"a\\n"\n').text).toBe('a\\n');
    expect(folded('x = Rb"a\\n"\n').text).toBe('a\\n');
  });

  it('follows a name that is bound once, by an assignment of its own', () => {
    expect(shape('n = "a"\nx = f"{n}b"\n')).toBe('ab');
    expect(shape('n = "a"\nn = "b"\nx = f"{n}b"\n')).toBe('□b');
    expect(shape('n, m = "a", "c"\nx = f"{n}b"\n')).toBe('□b');
    expect(shape('for n in "ab":\n    x = f"{n}b"\n')).toBe('□b');
    expect(shape('def f(n):\n    x = f"{n}b"\n')).toBe('□b');
    expect(shape('def f(n="a"):\n    x = f"{n}b"\nn = "c"\n')).toBe('□b');
    expect(shape('def f():\n    n = "d"\n    x = f"{n}b"\nn = "c"\n')).toBe('db');
  });

  it('numbers computed parts in their order, and never takes a character of the script for one', () => {
    const two = folded('x = f"{a}-{b}"\n');
    expect([two.text, two.holes.length]).toEqual(['\ue000-\ue001', 2]);
    expect(folded(`x = "${HOLE.first}a${HOLE.last}"\n`).text).toBe('?a?');
  });

  it('keeps computed parts of a format text and of a separator apart from those that are put in', () => {
    const choices = (text: string) =>
      [...folded(text).text]
        .map((character) => character.charCodeAt(0) - HOLE.first.charCodeAt(0))
        .flatMap((at) => folded(text).holes[at]?.choices ?? []);
    expect(choices('x = f"{1 if a else 2} %s" % (3 if a else 4)\n')).toEqual(['1', '2', '3', '4']);
    expect(choices('x = f"{1 if a else 2} {{}}".format(3 if a else 4)\n')).toEqual(['1', '2', '3', '4']);
    expect(choices('x = f"{1 if a else 2}".join([f"{3 if a else 4}", "b"])\n')).toEqual(['3', '4', '1', '2']);
    // How wide a number is printed has a say as well.
    expect(folded('x = f"{{:{1 if a else 2}}}".format(n)\n').holes.map((hole) => hole.choices)).toEqual([[], ['1', '2']]);
  });

  it('goes eight expressions deep', () => {
    const nested = (depth: number) => shape(`x = ${'('.repeat(depth)}1${')'.repeat(depth)}\n`);
    expect([nested(8), nested(9)]).toEqual(['1', '□']);
  });

  it('knows what decides over a text: the subject, a choice among literals', () => {
    expect(folded('import picker\nx = f"{picker.LIMIT}"\n').holes).toEqual([{ labels: expect.any(Number) as number, choices: [] }]);
    expect(folded('x = f"{1 if a else 2}"\n').holes[0]?.choices).toEqual(['1', '2']);
    const decided = folded('import picker\nif picker.running([[1], [2]]):\n    n = "a"\nx = f"{n}b"\n');
    expect([decided.text, decided.holes.length]).toEqual(['\ue000b', 1]);
  });
});

describe('joinTemplates', () => {
  it('keeps 6,000 computed parts, and leaves out what would be more', () => {
    const hole = { text: HOLE.first, holes: [{ labels: 0, choices: [] }] };
    const joined = joinTemplates(
      Array.from({ length: 6_001 }, () => hole),
      ',',
    );
    expect([joined.holes.length, joined.text.split(',').length]).toEqual([6_000, 6_000]);
  });
});
