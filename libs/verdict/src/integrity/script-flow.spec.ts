import { beforeAll, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import { collectEmissions, collectObservations } from './emissions.js';
import { SUBJECT } from './fixtures/subject.js';
import { FROM_SOURCE, FROM_SUBJECT, has, isConstant } from './labels.js';
import { followScript } from './script-flow.js';
import { listingOf } from './subject-listing.js';

let python: PythonSyntax;
beforeAll(async () => {
  python = await loadPythonSyntax();
});

/** Where the value of `x` in the last `OBS x=…` of a script comes from. */
function originOf(text: string, helper?: string): string {
  const files = [{ path: 'main.py', text }, ...(helper === undefined ? [] : [{ path: 'helper.py', text: helper }])];
  const flow = followScript(python, files, listingOf(python, SUBJECT));
  if (flow === null) return 'unreadable';
  try {
    const labels = collectObservations(collectEmissions(flow)).findLast((observation) => observation.name === 'x')?.labels;
    if (labels === undefined) return 'none';
    if (has(labels, FROM_SUBJECT)) return 'subject';
    if (has(labels, FROM_SOURCE)) return 'source';
    return isConstant(labels) ? 'constant' : 'other';
  } finally {
    flow.dispose();
  }
}

describe('followScript', () => {
  it.each([
    ['a call', 'from scoring import score\nprint(f"OBS x={score([1], [1])}")'],
    ['an alias', 'import scoring as s\nf = s.score\nprint("OBS x=%d" % f([1], [1]))'],
    ['a module constant', 'import picker\nprint("OBS x={}".format(picker.LIMIT))'],
    ['a star import', 'from picker import *\nprint(f"OBS x={LIMIT}")'],
    ['an attribute of an instance', 'from picker import Picker\np = Picker()\nprint(f"OBS x={p.size}")'],
    ['an argument that the subject changes', 'import learn\nbox = []\nlearn.learn(out=box)\nprint(f"OBS x={len(box)}")'],
    ['a branch', 'import learn\nx = 0\nif learn.learn()[0] > 1:\n    x = 1\nprint(f"OBS x={x}")'],
    [
      'a loop that ends with a child',
      'import subprocess\np = subprocess.Popen(["python", "learn.py"])\nx = 0\nwhile p.poll() is None:\n    x = 1\nprint(f"OBS x={x}")',
    ],
    ['a handler', 'import learn\ntry:\n    learn.learn()\nexcept ValueError:\n    print("OBS x=1")'],
    [
      'what follows an early return',
      'import learn\ndef main():\n    if learn.learn()[0] < 1:\n        return\n    print("OBS x=1")\nmain()',
    ],
    ['a result of a helper file', 'from helper import run\nprint(f"OBS x={run()}")'],
    [
      'a nested function with nonlocal',
      'import learn\ndef outer():\n    x = 0\n    def inner():\n        nonlocal x\n        x = learn.learn()\n    inner()\n    return x\nprint(f"OBS x={outer()}")',
    ],
    ['a generator', 'import learn\ndef values():\n    for v in learn.learn():\n        yield v\nprint(f"OBS x={next(values())}")'],
    ['a callback', 'import learn\nseen = []\nlearn.learn(out=lambda v: seen.append(v))\nprint(f"OBS x={len(seen)}")'],
    ['a computed name', 'import learn\nfor k, v in {"x": learn.learn()}.items():\n    print("OBS x=%s" % v)'],
    ['a list that is filled later', 'import learn\nx = []\nfor v in learn.learn():\n    x.append(len(v))\nprint(f"OBS x={x}")'],
    ['a table that is filled later', 'import learn\nx = {}\nx.update(learn.learn())\nprint(f"OBS x={x}")'],
    ['an observe call', 'import reenact, learn\nreenact.observe("x", learn.learn())'],
    ['a dynamic import', 'import importlib\nm = importlib.import_module("learn")\nprint(f"OBS x={m.learn()}")'],
    ['a file that the subject wrote', 'import learn\nlearn.learn(out="o")\nprint("OBS x=" + open("o").read())'],
    ['a file that a star import of the subject wrote', 'from learn import *\nlearn(out="o")\nprint("OBS x=" + open("o").read())'],
    ['a decorator of the subject', 'import learn\n@learn.wrap\ndef f():\n    return 3\nprint(f"OBS x={len(learn.learn())}")'],
    [
      'a method of a class that is derived',
      'import picker\nclass M(picker.Picker):\n    def go(self):\n        return self.size\nprint(f"OBS x={M().go()}")',
    ],
    ['an elif', 'import learn\nx = 0\nif 1 > 2:\n    x = 2\nelif learn.learn():\n    x = 1\nprint(f"OBS x={x}")'],
    ['an else', 'import learn\nx = 0\nif learn.learn():\n    pass\nelse:\n    x = 1\nprint(f"OBS x={x}")'],
    ['the else of a loop', 'import learn\nx = 0\nfor v in learn.learn():\n    pass\nelse:\n    x = 1\nprint(f"OBS x={x}")'],
    ['the name of an error', 'import learn\ntry:\n    learn.learn()\nexcept ValueError as x:\n    pass\nprint(f"OBS x={x}")'],
    ['a handle', 'import learn\nwith learn.learn() as x:\n    pass\nprint(f"OBS x={x}")'],
    [
      'a redirected stream',
      'import contextlib, io, learn\nx = io.StringIO()\nwith contextlib.redirect_stdout(x):\n    learn.learn()\nprint(f"OBS x={x.getvalue()}")',
    ],
    [
      'what follows a caught error that a return would have passed',
      'import learn, contextlib\ndef main():\n    with contextlib.suppress(ValueError):\n        learn.learn()\n        return\n    print("OBS x=1")\nmain()',
    ],
    ['what follows an exit', 'import learn, sys\nif learn.learn():\n    sys.exit(0)\nprint("OBS x=1")'],
    ['a capture of a match', 'import learn\nmatch learn.learn():\n    case [x, *_]:\n        print(f"OBS x={x}")'],
    ['a branch of a match', 'import learn\nx = 0\nmatch learn.learn():\n    case 1:\n        x = 1\nprint(f"OBS x={x}")'],
    ['a walrus', 'import learn\nif (x := learn.learn()):\n    pass\nprint(f"OBS x={x}")'],
    ['a keyword argument', 'import learn\ndef f(a, *, b=3):\n    return b\nprint(f"OBS x={f(1, b=learn.learn())}")'],
    ['a splat', 'import learn\ndef f(a, b):\n    return b\nprint(f"OBS x={f(*learn.learn())}")'],
    ['an item that is set', 'import learn\nx = [0]\nx[0] = learn.learn()\nprint(f"OBS x={x}")'],
    ['an attribute that is set', 'import learn\nclass A: pass\na = A()\na.v = learn.learn()\nb = A()\nprint(f"OBS x={b.v}")'],
    ['a second branch of two', 'import learn\nx = 3 if learn.learn() else 4\nprint(f"OBS x={x}")'],
    ['a later assertion', 'import learn\nassert learn.learn()\nprint("OBS x=1")'],
  ])('sees the subject behind %s', (_what, text) => {
    expect(originOf(text, 'import learn\ndef run():\n    return learn.learn()\n')).toBe('subject');
  });

  it.each([
    ['a literal', 'import learn\nlearn.learn()\nprint("OBS x=1")'],
    ['a name', 'X = 1\nimport learn\nlearn.learn()\nprint(f"OBS x={X}")'],
    ['pure functions', 'import math, json\nx = json.loads(json.dumps([math.sqrt(16)]))[0]\nprint(f"OBS x={round(x, 2)}")'],
    [
      'a function of the script',
      'import learn\ndef f(a, b=2):\n    c = [a * b]\n    c.append(1)\n    return sum(c)\nlearn.learn()\nprint("OBS x=%s" % f(2))',
    ],
    ['a loop over constants', 'import learn\nx = 0\nfor i in range(3):\n    x += i\nlearn.learn()\nprint(f"OBS x={x}")'],
    ['text put together', 'import learn\nlearn.learn()\nprint(" ".join(["OBS", "x=" + str(1)]))'],
    ['a stream', 'import sys, learn\nlearn.learn()\nsys.stdout.write("OBS x=1\\n")'],
    ['what a finished loop leaves', 'import learn\nfor v in learn.learn():\n    pass\nprint("OBS x=1")'],
    ['what follows a branch that goes on', 'import learn\nif learn.learn():\n    y = 3\nprint("OBS x=1")'],
    ['a finally', 'import learn\nx = 0\ntry:\n    learn.learn()\nfinally:\n    x = 1\nprint(f"OBS x={x}")'],
    ['another parameter', 'import learn\ndef f(a, b):\n    return b\nlearn.learn()\nprint(f"OBS x={f(a=1, b=2)}")'],
    ['what follows a function that returns', 'import learn\ndef f():\n    if learn.learn():\n        return 3\nprint("OBS x=1")'],
    ['a constant branch', 'import learn\nlearn.learn()\nif 2 > 1:\n    print("OBS x=1")'],
    ['unpacking', 'import learn\na, (b, x) = 1, (2, 3)\nlearn.learn()\nprint(f"OBS x={x}")'],
  ])('sees that %s is constant', (_what, text) => {
    expect(originOf(text)).toBe('constant');
  });

  it.each([
    ['a clock', 'import time, learn\nlearn.learn()\nprint(f"OBS x={time.time()}")', 'other'],
    ['a random number', 'import random, learn\nprint(f"OBS x={random.random()}")', 'other'],
    ['a list that a clock went into', 'import time\nx = []\nx.append(time.time())\nprint(f"OBS x={min(x)}")', 'other'],
    ['the text of the source', 'import os, learn\nlearn.learn()\ntext = open("learn.py").read()\nprint(f"OBS x={len(text)}")', 'source'],
    ['getsource', 'import inspect, learn\nprint(f"OBS x={len(inspect.getsource(learn))}")', 'source'],
    [
      'a path object',
      'import os, pathlib, learn\np = pathlib.Path(os.environ["PROJECT_DIR"]) / "learn.py"\nprint(f"OBS x={p.read_text().count(chr(10))}")',
      'source',
    ],
  ])('tells %s apart', (_what, text, origin) => {
    expect(originOf(text)).toBe(origin);
  });

  it('stands broken and empty scripts', () => {
    for (const text of ['', 'def f(:\n  x', 'print("OBS x=', 'class A(B, C): pass\n@d\n', 'x = x = x\nx += x'])
      expect(['none', 'constant', 'other']).toContain(originOf(text));
  });

  it('gives up on texts that are too deep or too large', () => {
    expect(originOf(`x = ${'1+'.repeat(20_000)}1\n`)).toBe('unreadable');
    expect(originOf('x = 1\n'.repeat(50_000))).toBe('unreadable');
  });
});
