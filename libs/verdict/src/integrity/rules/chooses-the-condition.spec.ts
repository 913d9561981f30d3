import type { Facet } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { observedFacet } from '../../testing/claim-builder.js';
import { createEvidence } from '../../testing/evidence-builder.js';
import { check, confirm } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';

const facetOf = (oracle: object): Facet => observedFacet([Oracle.parse(oracle)], { id: 'x' });
const FACET = {
  acc: FACETS.accuracy,
  slow: facetOf({ kind: 'slow', name: 'seconds', sizeField: 'size' }),
  seed: facetOf({ kind: 'nondeterminism', name: 'loss' }),
  rate: facetOf({ kind: 'distribution', name: 'loss' }),
  text: facetOf({ kind: 'output', pattern: 'zzz' }),
  log: facetOf({ kind: 'printed', pattern: 'zzz (\\d)', op: '>', right: 1 }),
};
const head =
  'import logging, os, random, subprocess, sys, time\nimport picker, scoring\nfrom learn import learn as fit\np = picker.Picker()\nvalue = scoring.score([1], [1])\n';
const lines = (kind: keyof typeof FACET, text: string) => [
  ...new Set(
    check(`${head}${text}\n`, FACET[kind])
      .filter(({ rule }) => rule === 'chooses-the-condition')
      .map(({ line }) => (line ?? 0) - 5),
  ),
];

describe('chooses-the-condition', () => {
  it('says where, and for which facet', () => {
    const [found] = check(`${head}\nfit(\n    9 if value else 1)\n`, FACET.slow).filter(({ rule }) => rule === 'chooses-the-condition');
    expect(found).toMatchObject({ level: 'suspicion', file: 'repro.py', line: 7, facet: 'x' });
  });

  it.each<[keyof typeof FACET, string, number[]]>([
    ['acc', 'fit(9 if value else 1)', [1]],
    ['acc', 'fit(out=9 if value else 1)', [1]],
    ['acc', 'fit(timeout=9 if value else 1)', []],
    ['acc', 'print(9 if value else 1)', []],
    ['acc', 'sys.exit(9 if value else 1)', []],
    ['acc', 'other(9 if value else 1)', []],
    ['acc', 'random.seed(9 if value else 1)', [1]],
    ['acc', 'time.sleep(9 if value else 1)', [1]],
    ['acc', 'def a():\n    pass\ndef b():\n    pass\nf = a if value else b\nf()', [6]],
    ['acc', 'p.pick.go(9 if value else 1)', [1]],
    ['acc', 'for _ in range(9 if value else 1):\n    fit(1)', [1]],
    ['acc', 'for _ in range(9 if value else 1):\n    x = 3', []],
    ['acc', 'n = 9 if value else 1\nwhile n > 3:\n    n -= 1\n    fit(1)', [2]],
    ['acc', 'while 9 if value else 1:\n    fit(1)', [1]],
    ['acc', 'while True:\n    fit(1)\n    break', []],
    ['acc', 'def fits(n):\n    return p.pick([[1]] * n) is not None\nn = 3\nwhile fits(n):\n    n *= 2\np.pick([[1]] * n)', []],
    ['slow', 'def fits(n):\n    return p.pick([[1]] * n) is not None\nn = 3\nwhile fits(n):\n    n *= 2\np.pick([[1]] * n)', [6, 2]],
    ['acc', 'n = 3\nwhile p.pick([[1]]):\n    n *= 2\nfit(n)', [4]],
    ['acc', 'n = 10\nwhile n < 80:\n    fit(n)\n    n *= 2', []],
    ['slow', 'n = 10\nwhile n < 80:\n    fit(n)\n    n *= 2', []],
    ['acc', 'p.size = 9 if value else 1', [1]],
    ['acc', 'p.seen[0] = 9 if value else 1', [1]],
    ['acc', 'os.environ["N"] = "9" if value else "1"', [1]],
    ['acc', 'mine = {}\nmine["n"] = 9 if value else 1', []],
    ['acc', 'class R:\n    pass\nr = R()\nr.code = 9 if value else 1', []],
    ['acc', 'class R:\n    def go(self):\n        self.code = 9 if value else 1', []],
    ['acc', 'picker.LIMIT = 9 if value else 1', [1]],
    ['acc', 'q = p.pick([[1]])\nq.inner.size = 9 if value else 1', [2]],
    ['acc', 'p.pick([[1]]).size = 9 if value else 1', [1]],
    ['acc', 'mine = {}\nmine = p\nmine.size = 9 if value else 1', [3]],
    ['acc', 'other.size = 9 if value else 1', []],
    ['acc', 'if value:\n    fit(9)', []],
    ['acc', 'fit(3)\nif value:\n    fit(9)', [3]],
    ['acc', 'fit(9)\nif value:\n    fit(9)', []],
    ['acc', 'if value:\n    p.pick([[9]])\nfit(3)', []],
    ['slow', 'if value:\n    fit(9)', [2]],
    ['slow', 'if value:\n    fit(1)', []],
    ['slow', 'if value:\n    fit(value, 9)', []],
    ['slow', 'for _ in p.seen:\n    fit(9)', []],
    ['slow', 'if value is not None:\n    fit(9)', []],
    ['slow', 'if value:\n    time.sleep(9)', [2]],
    ['rate', 'if value:\n    time.sleep(9)', [2]],
    ['acc', 'if value:\n    time.sleep(9)', []],
    ['slow', 'if value:\n    sum(range(65_536))', [2]],
    ['slow', 'if value:\n    sum(range(65_535))', []],
    ['slow', 'time.sleep(0.5 * len(p.seen))', [1]],
    ['acc', 'time.sleep(0.5 * len(p.seen))', []],
    ['slow', 'time.sleep(0.5)', []],
    ['seed', 'fit(7 + len(p.seen))', [1]],
    ['slow', 'fit(7 + len(p.seen))', []],
    ['seed', 'other(7 + len(p.seen))', []],
    ['seed', 'subprocess.run(["python", "learn.py", str(7 + len(p.seen))])', [1]],
    ['seed', 'random.seed(value)', []],
    ['seed', 'random.seed(value + 1)', [1]],
    ['seed', 'random.seed(int(value + 1))', [1]],
    ['seed', 'random.seed(p.seed)', []],
    ['seed', 'seed = value + 1\nrandom.seed(seed)', [2]],
    ['seed', 'random.seed(3)', []],
    ['seed', 'fit(seed=value + 1)', [1]],
    ['seed', 'fit(rounds=value + 1)', []],
    ['seed', 'fit(value + 1)', []],
    ['seed', 'for n in p.seen:\n    random.seed(n)', [2]],
    ['seed', 'for n in range(4):\n    random.seed(n)', []],
    ['seed', 'if value:\n    random.shuffle(rows)', [2]],
    ['seed', 'random.shuffle(rows)', []],
    ['slow', 'if value:\n    random.shuffle(rows)', []],
    ['seed', 'if value:\n    random.seed()', [2]],
    ['text', 'for _ in p.seen:\n    print(text)', [2]],
    ['log', 'for _ in p.seen:\n    print(text)', [2]],
    ['acc', 'for _ in p.seen:\n    print(text)', []],
    ['text', 'for n in p.seen:\n    print(n)', []],
    ['text', 'for n in p.seen:\n    m = n\n    print(m)', []],
    ['text', 'for _ in range(3):\n    print(text)', []],
    ['text', 'while value:\n    print(text)', [2]],
    ['text', 'for _ in p.seen:\n    x = 3\nprint(text)', []],
    ['text', 'print("ab" * len(p.seen))', [1]],
    ['text', 'print(len(p.seen) * "ab")', [1]],
    ['text', 'print(row * len(p.seen))', [1]],
    ['text', 'print(row * (value > 3))', [1]],
    ['text', 'print(2 * value)', []],
    ['text', 'print(value * value)', []],
    ['text', 'print("ab" * 3)', []],
    ['text', 'print(value * len(p.seen))', [1]],
    ['text', 'print(3 * len(p.seen))', []],
    ['text', 'print("ab" + str(len(p.seen)))', []],
    ['text', 'print("ab" * (2 if value else 1))', [1]],
    ['text', 'print(f"{9 if value else 1}")', []],
    ['text', 'print(a)\nif value:\n    print(a)', [3]],
    ['text', 'print(a)\nif value:\n    print(b)', []],
    ['text', 'if value:\n    print(a)', []],
    ['text', 'h = logging.StreamHandler()\nfor _ in p.seen:\n    h.emit(record)', [3]],
    ['text', 'h = logging.StreamHandler()\nfor _ in p.seen:\n    h.look(record)', []],
  ])('for %s in %j on lines %j', (kind, text, expected) => {
    expect(lines(kind, text)).toEqual(expected);
  });

  it('is a finding wherever a signal is shown, since a control chooses the other number', () => {
    const acc = (value: number) => createEvidence().modules('scoring.py').obs({ acc: value }).exit(0).build();
    const text = `${head}fit(9 if value else 1)\nprint(f"OBS acc={value}")\n`;
    const level = (arms: Parameters<typeof confirm>[2]) =>
      confirm(text, FACETS.accuracy, arms).find(({ rule }) => rule === 'chooses-the-condition')?.level;
    expect(level({ candidate: acc(4), fixed: acc(1) })).toBe('finding');
    expect(level({ candidate: acc(1) })).toBe('refuted');
  });
});
