import { describe, expect, it } from 'vitest';
import { askAbout } from './fixtures/asked-node.js';
import { elementsIn, ownValueOf } from './own-quantities.js';

describe('ownValueOf', () => {
  it.each([
    ['3', 'quantity'],
    ['0.5', 'quantity'],
    ['0', 'constant'],
    ['1', 'constant'],
    ['-1', 'constant'],
    ['1_0', 'quantity'],
    ['True', 'constant'],
    ['None', 'constant'],
    ['"abc"', 'constant'],
    ['"12"', 'quantity'],
    ['"1"', 'constant'],
    ['"0"', 'constant'],
    ['"1e6"', 'quantity'],
    ['"-4"', 'quantity'],
    ['"4 rows"', 'constant'],
    ['f"{3}"', 'quantity'],
    ['f"{value}"', null],
    ['f"{0}"', 'constant'],
    ['[]', 'constant'],
    ['[1]', 'constant'],
    ['[3]', 'quantity'],
    ['[1, 1]', 'quantity'],
    ['(0, 1)', 'quantity'],
    ['[value, 3]', null],
    ['{"a": 3}', 'quantity'],
    ['{"a": 1}', 'constant'],
    ['{"a": value}', null],
    ['2 ** 28', 'quantity'],
    ['1 + 1', 'constant'],
    ['3 * value', null],
    ['not 3', 'quantity'],
    ['(3)', 'quantity'],
    ['3 if 1 else 0', 'quantity'],
    ['value and 3', null],
    ['lambda: value', 'quantity'],
    ['range(9)', 'quantity'],
    ['range(value)', null],
    ['bytearray(b"x")', 'constant'],
    ['bytearray(b"x") * 3', 'quantity'],
    ['torch.zeros(3, 3)', 'quantity'],
    ['torch.zeros(size=3)', 'quantity'],
    ['torch.zeros(size=value)', null],
    ['torch.float32', 'constant'],
    ['p.size', null],
    ['picker', null],
    ['picker.LIMIT', null],
    ['range(9).start', null],
    ['p.pick(3)', null],
    ['os.listdir("3")', 'quantity'],
    ['open("3")', null],
    ['sum(n for n in [3, 4])', 'quantity'],
    ['sum(n for n in value)', null],
    ['"ab".join(["3", "4"])', 'quantity'],
    ['[3, 4][0]', 'quantity'],
    ['[*[3]]', 'quantity'],
    ['unbound', 'constant'],
    ['value', null],
  ])('of %s is %s', (text, expected) => {
    expect(askAbout(`show(${text})\n`, ownValueOf)).toBe(expected);
  });

  it.each([
    ['n = 3\nshow(n)', 'quantity'],
    ['n = 1\nshow(n)', 'constant'],
    ['n = 1\nif value:\n    n = 3\nshow(n)', 'quantity'],
    ['n = 3\nn = value\nshow(n)', null],
    ['for n in range(4):\n    show(n)', 'quantity'],
    ['for n in p.seen:\n    show(n)', null],
    ['a, b = 3, value\nshow(a)', 'quantity'],
    ['a, b = 3, value\nshow(b)', null],
    ['def f():\n    pass\nshow(f)', 'quantity'],
    ['def f(n):\n    show(n)\nf(3)', 'quantity'],
    ['def f(n=3):\n    show(n)\nf()', 'quantity'],
    ['def f(n):\n    show(n)\nf(n=value)', null],
    ['class A:\n    def f(self, n):\n        show(n)\nA().f(3)', 'quantity'],
    ['n = n\nshow(n)', 'constant'],
    ['n = 3\nshow(n.real)', null],
    ['rows = [3]\nrows.append(value)\nshow(rows)', null],
    ['rows = [3]\nrows[0] = value\nshow(rows)', null],
    ['rows = [3]\nrows.sort(value)\nshow(rows)', 'quantity'],
    ['n = 3\nn += value\nshow(n)', null],
  ])('of a name, %j, is %s', (text, expected) => {
    expect(askAbout(`${text}\n`, ownValueOf)).toBe(expected);
  });
});

describe('elementsIn', () => {
  it.each([
    ['3', 3],
    ['20 * 30', 600],
    ['torch.zeros(10, 20)', 200],
    ['0.5', 1],
    ['0', 1],
    ['1_000', 1000],
    ['2 ** 3', 2 * 3 * 65_536],
    ['1 << 4', 4 * 65_536],
    ['value', 1],
  ])('of %s are %d', (text, expected) => {
    expect(askAbout(`show(${text})\n`, elementsIn)).toBe(expected);
  });

  it('follow names to the largest of their values, and end where a name names itself', () => {
    expect(askAbout('n = 10\nif value:\n    n = 40\nshow(n * 2)\n', elementsIn)).toBe(80);
    expect(askAbout('n = 10\nn = n * 3\nshow(n)\n', elementsIn)).toBe(30);
    expect(askAbout('n = n * 3\nshow(n)\n', elementsIn)).toBe(3);
  });
});
