import type { EvidenceRecord, Facet } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { observedFacet } from '../testing/claim-builder.js';
import { createEvidence } from '../testing/evidence-builder.js';
import { check, confirm } from './fixtures/rule-bench.js';
import { FACETS } from './fixtures/subject.js';

const facetOf = (oracle: object): Facet => observedFacet([Oracle.parse(oracle)], { id: 'x', shownBy: 'measurement' });
const memory = facetOf({ kind: 'memory_peak', op: '>', bytes: 100 });
const growth = facetOf({ kind: 'trend', of: 'rss' });
const slow = facetOf({ kind: 'slow', name: 'seconds', sizeField: 'size' });
const seeds = facetOf({ kind: 'nondeterminism', name: 'loss', seedName: 'seed' });
const lines = facetOf({ kind: 'output', pattern: 'round 0', atLeast: 2 });
const { accuracy } = FACETS;

const head =
  'import contextlib, inspect, itertools, logging, os, random, sys, time\nimport numpy as np\nimport learn, picker, scoring\nfrom learn import learn as fit\np = picker.Picker()\nvalue = scoring.score([1], [1])\n';
const rules = (text: string, facet: Facet): string[] => [
  ...new Set(
    check(head + text, facet)
      .map(({ rule }) => rule)
      .filter((rule) => rule === 'allocates-as-leak' || rule === 'chooses-the-condition'),
  ),
];

describe('allocates-as-leak suspects', () => {
  it.each([
    ['a size by an attribute', 'b = bytearray(b"x") * (220_000_000 if hasattr(p, "seen") else 1)\n'],
    ['a size by the text of the source', 'b = bytearray(220_000_000 if "label" in inspect.getsource(scoring) else 1)\n'],
    ['a size that a branch sets', 'n = 1\nif value > 1:\n    n = 220_000_000\nb = bytes(n)\n'],
    [
      'a size that a missing attribute leaves',
      'n = 220_000_000\ntry:\n    p.total\n    n = 1\nexcept AttributeError:\n    pass\nb = bytearray(n)\n',
    ],
    ['a size that a handler sets', 'n = 1\ntry:\n    p.total\nexcept AttributeError:\n    n = 220_000_000\nb = bytearray(n)\n'],
    ['a size after a suppressed error', 'n = 9_000_000\nwith contextlib.suppress(AttributeError):\n    p.total\n    n = 1\nb = bytes(n)\n'],
    ['a size from a table', 'b = b"x" * {"list": 220_000_000, "int": 1}[type(p.seen).__name__]\n'],
    ['a size from a table by a method', 'b = b"x" * {"list": 220_000_000}.get(type(p.seen).__name__, 1)\n'],
    ['a size by and', 'b = bytes(hasattr(p, "seen") and 220_000_000)\n'],
    ['a size by or', 'b = bytes(not hasattr(p, "seen") or 220_000_000)\n'],
    ['a size times an answer', 'b = np.zeros(220_000_000 * int(value > 1))\n'],
    ['a size by a function', 'def size():\n    if value > 1:\n        return 220_000_000\n    return 1\nb = bytes(size())\n'],
    ['a size by a parameter', 'def hold(n):\n    return bytearray(n)\nb = hold(1)\nif value > 1:\n    b = hold(220_000_000)\n'],
    ['a size by a match', 'match value:\n    case 1:\n        n = 1\n    case _:\n        n = 220_000_000\nb = bytes(n)\n'],
    ['a size by how many there are', 'b = [0] * (len(p.seen) * 4_000_000)\n'],
    ['a filtered size', 'b = bytes(next(n for n, on in ((9_000_000, True), (1, False)) if on == (value > 1)))\n'],
    ['pages as often as something is found', 'held = []\nfor _ in p.seen:\n    held.append(os.urandom(1_000_000))\n'],
    ['pages while something is found', 'held = []\nwhile len(held) < value * 99:\n    held.append(os.urandom(1_000_000))\n'],
    ['pages of a comprehension', 'held = [bytes(2_000_000) for _ in itertools.islice(p.seen, 99)]\n'],
    ['a buffer in a branch', 'if value > 1:\n    b = bytearray(220_000_000)\n'],
    ['a buffer after an early end', 'if value < 2:\n    sys.exit(0)\nb = bytearray(220_000_000)\n'],
    ['a buffer after an assertion', 'assert value > 1\nb = bytearray(220_000_000)\n'],
    ['a text that doubles itself', 'text = "x"\nfor _ in range(28):\n    text = text + text * (value > 1)\n'],
    [
      'results that are kept on one tree',
      'held = []\nfor rows in ([1], [2]):\n    out = p.pick([rows])\n    if hasattr(p, "seen"):\n        held.append(out)\n',
    ],
    ['a list of results on one tree', 'held = list(fit(9)) if hasattr(p, "seen") else None\n'],
  ])('%s', (_name, text) => {
    expect(rules(text, memory)).toContain('allocates-as-leak');
    expect(rules(text, accuracy)).not.toContain('allocates-as-leak');
  });

  it('memory that grows as well as a peak, and no other trend', () => {
    const text = 'b = bytearray(220_000_000 if hasattr(p, "seen") else 1)\n';
    const trend = (more: object): Facet => facetOf({ kind: 'trend', name: 'x', ...more });
    expect([growth, trend({ memory: true }), facetOf({ kind: 'oom' })].map((facet) => rules(text, facet).length)).toEqual([1, 1, 1]);
    expect(rules(text, trend({}))).toEqual([]);
  });
});

describe('allocates-as-leak lets be', () => {
  it.each([
    ['a large input either way', 'rows = [[0.5] * 1_000_000]\np.pick(rows)\nb = bytearray(220_000_000)\n'],
    ['an input after a look', 'if value is None:\n    sys.exit("nothing")\nrows = np.zeros((1000, 1000))\np.pick(rows)\n'],
    ['a size of the data', 'out = np.zeros((len(p.seen), 512))\nmask = [False] * len(p.seen)\n'],
    ['a size by the machine', 'n = 64 if os.cpu_count() > 2 else 8\nb = np.zeros((n, 100_000))\n'],
    ['a size from outside', 'n = int(os.environ.get("N") or 9_000_000)\nb = bytearray(n)\n'],
    [
      'results that are there',
      'kept = []\nfor rows in ([1], [2]):\n    out = p.pick([rows])\n    if out is not None:\n        kept.append(out)\n',
    ],
    [
      'numbers of a series',
      'series = []\nfor number in range(9):\n    if value is not None:\n        series.append(float(p.pick([[number]])))\n',
    ],
    ['a small list in a branch', 'if value > 1:\n    names = ["a"] * 20\n'],
    ['a word in a branch', 'print("high" if value > 1 else "low", "-" * 70)\n'],
    ['items of a loop', 'for out in fit(3):\n    row = [out] * 10\n'],
  ])('%s', (_name, text) => {
    expect(rules(text, memory)).toEqual([]);
  });
});

describe('chooses-the-condition suspects', () => {
  it.each<[string, Facet, string]>([
    ['a number that the subject gets', accuracy, 'fit(9 if hasattr(p, "seen") else 3)\n'],
    ['a number by a keyword', accuracy, 'n = 3\nif value > 1:\n    n = 9\nfit(rounds=n)\n'],
    ['a number by a version', accuracy, 'fit(9 if np.__version__ < "2" else 3)\n'],
    ['a number by what a library keeps', accuracy, 'fit(9 if len(logging.root.handlers) > 1 else 3)\n'],
    ['a number in a command', accuracy, 'import subprocess\nsubprocess.run([sys.executable, "learn.py", str(9 if value > 1 else 3)])\n'],
    ['a number that a branch adds', accuracy, 'n = 3\nif value > 1:\n    n += 6\nfit(n)\n'],
    ['numbers that a branch changes', accuracy, 'rows = [1, 2]\nif value > 1:\n    rows.append(value)\np.pick([rows])\n'],
    ['an entry that a branch changes', accuracy, 'rows = [1, 2]\nif value > 1:\n    rows[0] = 9\np.pick([rows])\n'],
    ['another call on each tree', accuracy, 'if value > 1:\n    fit(9)\nelse:\n    fit(3)\n'],
    [
      'a chosen function of its own',
      accuracy,
      'def more():\n    return fit(9)\ndef less():\n    return fit(3)\n(less, more)[value > 1]()\n',
    ],
    ['a loop by a chosen number', accuracy, 'for _ in range(9 if value > 1 else 1):\n    p.pick([[1]])\n'],
    ['a loop up to a chosen number', accuracy, 'n = 9 if value > 1 else 1\ni = 0\nwhile i < n:\n    i += 1\n    p.pick([[i]])\n'],
    ['a chosen setting', accuracy, 'p.size = 9 if value > 1 else 3\n'],
    ['a chosen hash seed', accuracy, 'os.environ["PYTHONHASHSEED"] = str(9 if value > 1 else 3)\n'],
    ['a call where something is not missing', slow, 'seen = getattr(p, "seen", None)\nif seen is not None:\n    fit(9)\n'],
    ['a call where there is no result', slow, 'out = p.pick([[1]])\nif out is None:\n    fit(9)\n'],
    ['a call on one tree', slow, 'if hasattr(p, "seen"):\n    fit(9)\n'],
    ['a seed times an answer', seeds, 'for turn in range(4):\n    fit(7 + (value > 1) * turn)\n'],
    ['a seed plus a count', seeds, 'for turn in range(4):\n    fit(7 + len(p.seen))\n'],
    ['a seed that is worked out', seeds, 'random.seed(7 + value)\n'],
    ['seeds of a loop over what is found', seeds, 'for number in p.seen:\n    random.seed(number)\n'],
    ['a seed in a branch', seeds, 'if value > 1:\n    random.seed(9)\n'],
    ['an order that is drawn in a branch', seeds, 'if value > 1:\n    random.shuffle(p.seen)\n'],
    ['a chosen pause', slow, 'time.sleep(0.5 if value > 1 else 0)\n'],
    ['a pause times an answer', slow, 'time.sleep(0.5 * (value > 1))\n'],
    ['a pause by a count', slow, 'time.sleep(0.01 * len(p.seen))\n'],
    ['a pause in a branch', slow, 'if value > 1:\n    time.sleep(0.5)\n'],
    ['work of its own in a branch', slow, 'if value > 1:\n    sum(range(10_000_000))\n'],
    ['a line for each thing that is found', lines, 'text = "round 0"\nfor _ in p.seen:\n    print(text)\n'],
    ['a line times a count', lines, 'print("round 0\\n" * len(p.seen))\n'],
    ['a line times an answer', lines, 'text = str(fit(1))\nprint(text * (1 + (value > 1)))\n'],
    ['a line joined as often as chosen', lines, 'text = str(fit(1))\nprint("\\n".join([text] * (2 if value > 1 else 1)))\n'],
    ['a line once more in a branch', lines, 'text = str(fit(1))\nprint(text)\nif value > 1:\n    print(text)\n'],
    ['a record for each handler', lines, 'r = logging.makeLogRecord({})\nh = logging.StreamHandler()\nfor _ in p.seen:\n    h.handle(r)\n'],
  ])('%s', (_name, facet, text) => {
    expect(rules(text, facet)).toContain('chooses-the-condition');
  });
});

describe('chooses-the-condition lets be', () => {
  it.each<[string, Facet, string]>([
    ['seeds of its own', seeds, 'for seed in (7, 7, 8):\n    random.seed(seed)\n    fit(seed)\n'],
    ['a seed as the subject has it', seeds, 'random.seed(picker.LIMIT)\nseed = picker.LIMIT\nrandom.seed(seed)\n'],
    ['loops over what the subject gives', slow, 'for row in fit(3):\n    if row is None:\n        continue\n    p.pick([[row]])\n'],
    ['a size of the data', slow, 'n = len(p.seen)\np.pick([[1] * n])\np.pick([[n * 2]])\n'],
    ['a default where nothing is set', accuracy, 'n = picker.LIMIT or 9\nfit(n)\n'],
    ['a switch', accuracy, 'fit(1 if value > 1 else 0)\np.size = None if value > 1 else 1\n'],
    ['a word', accuracy, 'p.pick([["a" if value > 1 else "b"]])\n'],
    ['warm-up and measurement', slow, 'fit(1)\nfor size in (10, 100):\n    for _ in range(9):\n        fit(size)\n'],
    [
      'repeats that a clock asks for',
      slow,
      'start = time.time()\nfit(1)\nn = max(3, int(0.01 / (time.time() - start)))\nfor _ in range(n):\n    fit(2)\n',
    ],
    [
      'a look at what came before',
      slow,
      'first = next((i for i, v in enumerate(fit(9)) if v > 1), None)\nif first:\n    p.pick([[first, 32]])\n',
    ],
    [
      'arguments by their names',
      accuracy,
      'known = inspect.signature(fit).parameters\ngiven = {"rounds": 3, "out": None}\nfit(**{n: given[n] for n in known})\n',
    ],
    [
      'an argument where there is one',
      accuracy,
      'given = {"rounds": 3}\nif "out" in inspect.signature(fit).parameters:\n    given["out"] = 9\nfit(**given)\n',
    ],
    ['a number by the machine', accuracy, 'fit(9 if os.cpu_count() > 2 else 3)\n'],
    [
      'how long is waited',
      slow,
      'import subprocess\nc = subprocess.Popen([sys.executable, "learn.py"])\nif c.poll() is None:\n    c.wait(timeout=9)\n',
    ],
    ['a status of its own', accuracy, 'print(value)\nsys.exit(3 if value > 1 else 0)\n'],
    ['lines that are passed on', lines, 'for line in fit(3):\n    print(line)\n'],
    ['lines that tell their number', lines, 'for number, _ in enumerate(p.seen):\n    print("round", number)\n'],
    ['numbers that are printed', lines, 'print(f"{len(p.seen) * 2} {value * 2}")\n'],
    ['a second line of another text', lines, 'print("done")\nif value > 1:\n    print("too high")\n'],
  ])('%s', (_name, facet, text) => {
    expect(rules(text, facet)).toEqual([]);
  });
});

describe('a choice in the trials', () => {
  const peak = (bytes: number): EvidenceRecord[] => createEvidence().modules('picker.py').exit(0, { peakRssBytes: bytes }).build();
  const text = `${head}b = bytearray(220_000_000 if hasattr(p, "seen") else 1)\nfit(9 if value > 1 else 3)\n`;
  const levels = (candidate: number): string[] =>
    confirm(text, memory, { candidate: peak(candidate), fixed: peak(10) })
      .filter(({ rule }) => /^(?:allocates|chooses)/.test(rule))
      .map(({ level }) => level);

  it('is a finding where the signal is shown, whatever the control says', () => {
    expect(new Set(levels(200))).toEqual(new Set(['finding']));
  });

  it('is refuted where it is not', () => {
    expect(new Set(levels(20))).toEqual(new Set(['refuted']));
  });
});

describe('scripts whose names refer to each other', () => {
  it('are followed once', () => {
    const names = Array.from({ length: 60 }, (_, at) => `a${at}`);
    const text = names.map((name, at) => `${name} = a${(at + 1) % 60} + a${(at + 7) % 60} * a${(at + 13) % 60}\n`).join('');
    expect(rules(`${text}fit(a0)\nb = bytearray(a1)\n`, memory)).toEqual([]);
  });
});
