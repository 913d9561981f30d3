import { describe, expect, it } from 'vitest';
import { isAskedAbout, isAskedForResult } from './asked-about.js';
import { conditionalOf } from './choice-query.js';
import { isChosen } from './chosen-values.js';
import { decides } from './deciding-conditions.js';
import { askAbout } from './fixtures/asked-node.js';
import { isCount, isShifted, isTruth } from './truth-values.js';

describe('isChosen', () => {
  it.each([
    '9 if value else 1',
    '1 if value else 9',
    '(9 if value else 1) + 2',
    'float(9 if value else 1)',
    'value and 9',
    'not value or 9',
    '{True: 9}[value > 1]',
    '[9, 4][value]',
    '[9, 4].index(value)',
    '9 * (value > 1)',
    '(value > 1) * 9',
    '9 + int(value > 1)',
    '1 + (value > 1)',
    'int(value > 1) + 1',
    '1 - (value > 1)',
    '1 + math.isclose(value, 3)',
    '9 ** (value > 1)',
    '9 << (value > 1)',
    '9 - (not value)',
    'bool(value) * 9',
    '[9 for n in range(4) if value]',
    'sum(n for n in [9, 4] if n == value)',
    '[9 for n in range(4) if value if 1]',
    '[9 if value else 1]',
    '{"n": 9 if value else 1}',
    'f"{9 if value else 1}"',
    'max(2, 9 if value else 1)',
    'lambda: 9 if value else 1',
    '*[9 if value else 1]',
    '(9 if value else 1).real',
  ])('of %s', (text) => {
    expect(askAbout(`show(${text})\n`, isChosen)).toBe(true);
  });

  it.each([
    '9',
    '9 if os.cpu_count() else 1',
    '1 if value else 0',
    '"a" if value else "b"',
    'value if value else p.size',
    'value or 9',
    '9 and value',
    '9 or 4',
    '[0, 1][0]',
    '{True: 1}[value > 1]',
    'p.seen[9]',
    'value * 9',
    'len(p.seen) * 9',
    '1 * (value > 1)',
    '1 + value',
    '0 + (value > 1)',
    '9 == (value > 1)',
    '9 @ (value > 1)',
    'p.pick(9 if value else 1)',
    '(9 if value else 1) > 4',
    'not (9 if value else 1)',
    '[n for n in range(4)]',
    '[n for n in p.seen if n > 9]',
    '[n for n in [9, 4] for m in p.seen if m]',
    '{n: {"a": 9}[n] for n in p.seen}',
    '[9, 4].count(value)',
  ])('not of %s', (text) => {
    expect(askAbout(`show(${text})\n`, isChosen)).toBe(false);
  });

  it.each([
    ['n = 1\nif value:\n    n = 9\nshow(n)', true],
    ['n = 1\nif value:\n    n = 0\nshow(n)', false],
    ['n = 9\nif value:\n    n = 9\nshow(n)', false],
    ['n = 9\nif 2 > 1:\n    n = 4\nshow(n)', false],
    ['if value:\n    n = 9\nshow(n)', false],
    ['n = 9 if value else 1\nm = n\nshow(m)', true],
    ['n = 3\nif value:\n    n += 4\nshow(n)', true],
    ['n = 1\nwhile value:\n    n = 9\nshow(n)', true],
    ['n = 1\nfor _ in p.seen:\n    n = 9\nshow(n)', true],
    ['rows = [3]\nif value:\n    rows.append(value)\nshow(rows)', true],
    ['flag = value > 1\nshow(1 + flag)', true],
    ['hits = 0\nfor n in p.seen:\n    hits += n > 1\nshow(1 + hits)', false],
    ['rows = []\nif value:\n    rows.append(value)\nshow(rows)', false],
    ['rows = [3]\nfor n in p.seen:\n    rows.append(n)\nshow(rows)', false],
    ['rows = {"a": 3}\nif "b" in p.seen:\n    rows["b"] = value\nshow(rows)', false],
    ['rows = {"a": 3}\nif "c" in p.seen:\n    rows["b"] = value\nshow(rows)', true],
    ['rows = {"a": 3}\nrows["b"] = value\nshow(rows)', false],
    ['def f():\n    return 9 if value else 1\nshow(f())', true],
    ['def f():\n    if value:\n        return 9\n    return 1\nshow(f())', true],
    ['def f():\n    if value:\n        return 1\n    return 0\nshow(f())', false],
    ['def f():\n    if value:\n        return 9\nshow(f())', false],
    ['def f():\n    if 2 > 1:\n        return 9\n    return 1\nshow(f())', false],
    ['def f():\n    def g():\n        return 9 if value else 1\n    return 4\nshow(f())', false],
    ['def f():\n    yield 9 if value else 1\nshow(f())', true],
    ['def f(n):\n    show(n)\nf(9 if value else 1)', true],
    ['def f(n):\n    show(n)\nf(1)\nif value:\n    f(9)', true],
    ['def f(n):\n    show(n)\nf(1)\nf(9)', false],
    ['def f(n=1):\n    show(n)\nf()\nif value:\n    f(n=9)', true],
  ])('of a name, %j: %s', (text, expected) => {
    expect(askAbout(`${text}\n`, isChosen)).toBe(expected);
  });
});

describe('isTruth', () => {
  it.each([
    'value > 1',
    'not value',
    '(value > 1)',
    'bool(value)',
    'hasattr(p, "a")',
    'isinstance(p, int)',
    'callable(p)',
    'any(p.seen)',
    'all(p.seen)',
    'int(value > 1)',
    'sum(a != b for a, b in p.seen)',
    'sum([a != b for a, b in p.seen])',
  ])('of %s', (text) => {
    expect(askAbout(`show(${text})\n`, isTruth)).toBe(true);
    expect(askAbout(`x = ${text}\nshow(x)\n`, isTruth)).toBe(true);
  });

  it.each(['value', '1', 'int(value)', 'sum(p.seen)', 'len(p.seen)', 'value + 1', 'x'])('not of %s', (text) => {
    expect(askAbout(`show(${text})\n`, isTruth)).toBe(false);
  });
});

describe('isCount and isShifted', () => {
  it.each(['len(p.seen)', '(len(p.seen))', 'p.seen.index(3)', 'hash(value)', 'id(p)', 'p.seen.count(1)'])('count: %s', (text) => {
    expect(askAbout(`show(${text})\n`, isCount)).toBe(true);
    expect(askAbout(`x = ${text}\nshow(x)\n`, isCount)).toBe(true);
    expect(askAbout(`show(7 + ${text})\n`, isShifted)).toBe(true);
    expect(askAbout(`show(${text} * 7)\n`, isShifted)).toBe(true);
  });

  it.each(['len([3])', 'value', 'p.seen.pop()', 'max(p.seen)'])('no count: %s', (text) => {
    expect(askAbout(`show(${text})\n`, isCount)).toBe(false);
    expect(askAbout(`show(7 + ${text})\n`, isShifted)).toBe(false);
  });

  it('is shifted by a number of the script only', () => {
    expect(askAbout('show(len(p.seen) * value)\n', isShifted)).toBe(false);
    expect(askAbout('show(len(p.seen) > 7)\n', isShifted)).toBe(false);
    expect(askAbout('show([str(7 + len(p.seen))])\n', isShifted)).toBe(true);
  });
});

describe('decides', () => {
  it.each([
    ['value', true],
    ['hasattr(p, "a")', true],
    ['9', false],
    ['os.cpu_count()', false],
    ['os.environ.get("N")', false],
    ['torch.cuda.is_available()', false],
    ['random.random() > 0.5', false],
    ['time.time()', true],
    ['torch.__version__', true],
    ['sys.version_info > (3, 9)', true],
    ['sys.modules', true],
    ['logging.root.handlers', true],
    ['sys.byteorder', false],
  ])('%s: %s', (text, expected) => {
    expect(askAbout(`show(${text})\n`, decides)).toBe(expected);
  });

  it('knows what a name was bound to', () => {
    expect(askAbout('n = int(os.environ.get("N") or 3)\nshow(n)\n', decides)).toBe(false);
    expect(askAbout('n = 3\nn = os.cpu_count()\nshow(n - 1)\n', decides)).toBe(false);
    expect(askAbout('n = time.time()\nshow(n - 1)\n', decides)).toBe(true);
  });
});

describe('conditionalOf', () => {
  it.each([
    ['show(1)', null],
    ['if value:\n    show(1)', 'branch'],
    ['if 2 > 1:\n    show(1)', null],
    ['if show(1):\n    pass', null],
    ['if 2 > 1:\n    pass\nelif value:\n    show(1)', 'branch'],
    ['if value:\n    pass\nelse:\n    show(1)', 'branch'],
    ['while value:\n    show(1)', 'loose'],
    ['while True:\n    show(1)', null],
    ['for _ in p.seen:\n    show(1)', 'loose'],
    ['for _ in range(3):\n    show(1)', null],
    ['for _ in p.seen:\n    if value:\n        show(1)', 'branch'],
    ['match value:\n    case 1:\n        show(1)', 'branch'],
    ['match 3:\n    case 1:\n        show(1)', null],
    ['x = show(1) if value else 0', 'branch'],
    ['x = 0 if value else show(1)', 'branch'],
    ['x = 0 if show(1) else 3', null],
    ['x = 0 if 1 else show(1)', null],
    ['x = value and show(1)', 'branch'],
    ['x = show(1) and value', null],
    ['x = 1 and show(1)', null],
    ['x = [show(1) for _ in p.seen]', 'loose'],
    ['x = [show(1) for _ in range(3)]', null],
    ['x = [show(1) for _ in range(3) if value]', 'branch'],
    ['x = [0 for _ in show(1)]', null],
    ['x = [show(value) for _ in range(3)]', null],
    ['if value:\n    f = lambda: show(1)', null],
    ['try:\n    p.total\nexcept AttributeError:\n    show(1)', 'branch'],
    ['try:\n    p.total\nexcept AttributeError:\n    pass\nelse:\n    show(1)', 'branch'],
    ['try:\n    p.total\nexcept AttributeError:\n    pass\nfinally:\n    show(1)', null],
    ['try:\n    x = 3\nexcept AttributeError:\n    show(1)', null],
    ['try:\n    p.total\n    show(1)\nexcept AttributeError:\n    pass', 'loose'],
    ['try:\n    show(1)\n    p.total\nexcept AttributeError:\n    pass', null],
    ['try:\n    p.total\n    show(1)\nfinally:\n    pass', null],
    ['with suppress(KeyError):\n    p.total\n    show(1)', 'loose'],
    ['with open_it() as f:\n    p.total\n    show(1)', null],
    ['if value:\n    sys.exit(0)\nshow(1)', 'loose'],
    ['if value:\n    exit()\nshow(1)', 'loose'],
    ['if value:\n    print(3)\nshow(1)', null],
    ['if 2 > 1:\n    sys.exit(0)\nshow(1)', null],
    ['assert value\nshow(1)', 'loose'],
    ['assert 3\nshow(1)', null],
    ['for n in range(3):\n    if value:\n        continue\n    show(1)', 'loose'],
    ['for n in range(3):\n    if value:\n        break\nshow(1)', null],
    ['def f():\n    if value:\n        return\n    show(1)\nf()', 'loose'],
    ['def f():\n    show(1)\nif value:\n    f()', 'branch'],
    ['def f():\n    show(1)\nfor _ in p.seen:\n    f()', 'loose'],
    ['def f():\n    show(1)\nf()', null],
    ['def g():\n    show(1)\ndef f():\n    g()\nif value:\n    f()', 'branch'],
    ['def f():\n    show(1)\n    f()\nf()', null],
    ['if value:\n    def f():\n        show(1)\nf()', null],
  ])('of %j: %s', (text, expected) => {
    expect(askAbout(`${text}\n`, conditionalOf)).toBe(expected);
  });
});

describe('isAskedAbout', () => {
  it.each([
    ['if value is not None:\n    show(value)', true],
    ['if value is not None:\n    show(p)', false],
    ['if value:\n    if p:\n        show(value)', false],
    ['if p:\n    if value:\n        show(value)', true],
    ['flag = value > 1\nif flag:\n    show(flag)', false],
    ['while value:\n    show(value)', false],
    ['show(value)', false],
  ])('of %j: %s', (text, expected) => {
    expect(askAbout(`${text}\n`, isAskedAbout)).toBe(expected);
  });
});

describe('isAskedForResult', () => {
  it.each([
    ['if value is not None:\n    show(1)', true],
    ['if value is None:\n    show(1)', false],
    ['if value != None:\n    show(1)', false],
    ['if value:\n    show(1)', false],
    ['if p.seen is not None:\n    show(1)', false],
    ['x = getattr(p, "seen", None)\nif x is not None:\n    show(1)', false],
    ['x = vars(p)\nif x is not None:\n    show(1)', false],
    ['show(1)', false],
  ])('of %j: %s', (text, expected) => {
    expect(askAbout(`${text}\n`, isAskedForResult)).toBe(expected);
  });
});
