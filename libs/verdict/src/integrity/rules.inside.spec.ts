import { describe, expect, it } from 'vitest';
import { observedFacet } from '../testing/claim-builder.js';
import { createEvidence } from '../testing/evidence-builder.js';
import { check, codes, confirm } from './fixtures/rule-bench.js';
import { FACETS } from './fixtures/subject.js';

const measured = (acc: number): ReturnType<ReturnType<typeof createEvidence>['build']> =>
  createEvidence().modules('scoring.py').obs({ acc }).exit(0).build();
/** Rules that refuse a number of 4 although the control is at 1. */
const refusals = (text: string): string[] =>
  codes(confirm(text, FACETS.accuracy, { candidate: measured(4), fixed: measured(1) }), 'finding');

describe('patches-the-subject, by the inside of the interpreter', () => {
  const call = 'import gc, ctypes, sys, scoring\nvalue = scoring.score([1], [1])\nfake = lambda *given: 4\n';
  const show = 'print(f"OBS acc={scoring.score([1], [1])}")\n';

  it.each([
    ['code of an alias', 'f = scoring.score\nf.__code__ = fake.__code__\n'],
    ['code of what the collector found', 'for o in gc.get_objects():\n    if o.__name__ == "score":\n        o.__code__ = fake.__code__\n'],
    ['globals', 'scoring.score.__globals__["len"] = fake\n'],
    ['globals held by a name', 'space = scoring.score.__globals__\nspace.update(len=lambda v: 1)\n'],
    ['vars of the module', 'vars(scoring)["len"] = lambda v: 1\n'],
    ['the dictionary of the module', 'scoring.__dict__.update({"len": lambda v: 1})\n'],
    ['the builtins', '__builtins__.__dict__["len"] = lambda v: 1\n'],
    ['a name that is put together', 'setattr(scoring, "l" + "en", lambda v: 1)\n'],
    ['locals of a frame', 'def t(frame, event, arg):\n    frame.f_locals["labels"].clear()\nsys.settrace(t)\n'],
    ['the line of a frame', 'def t(frame, event, arg):\n    frame.f_lineno = 3\nsys.settrace(t)\n'],
    ['an address', 'ctypes.c_ssize_t.from_address(id(value) + 16).value = 0\n'],
    ['an error thrown into a thread', 'ctypes.pythonapi.PyThreadState_SetAsyncExc(1, ctypes.py_object(IndexError))\n'],
    ['a builtin beside the suspect', 'scoring.len = lambda v: 1\n'],
    ['a library below it', 'import random\nrandom.Random = lambda seed: None\n'],
  ])('refuses a change of %s, also where the control is absent', (_name, text) => {
    expect(refusals(call + text + show)).toContain('patches-the-subject');
  });

  it.each([
    ['settings of a module', 'vars(scoring)["LIMIT"] = 4\n'],
    ['a copy of its names', 'names = dict(vars(scoring))\nnames["score"] = fake\n'],
    ['state of an instance', 'class A: pass\na = A()\na.__dict__.update(x=fake)\n'],
    ['reading of locals in a hook', 'def hook(kind, error, trace):\n    print(trace.tb_frame.f_locals)\nsys.excepthook = hook\n'],
    ['a library of the system', 'ctypes.CDLL("libc.so.6").malloc_trim(0)\n'],
    ['an attribute by a computed name', 'setattr(scoring, f"flag_{1}", True)\n'],
  ])('has nothing against %s', (_name, text) => {
    expect(codes(check(call + text + show, FACETS.accuracy))).toEqual([]);
  });
});

describe('changes-the-condition', () => {
  const use = 'print(f"OBS acc={score(L([1]), [1])}")\n';
  const head = 'import functools\nfrom scoring import score\n';

  it.each([
    ['a set that holds everything', 'class L(set):\n    def __contains__(self, item):\n        return True\n'],
    ['an item that equals everything', 'class L:\n    def __init__(self, v): pass\n    def __eq__(self, other):\n        return True\n'],
    ['a length that is no function', 'class L(list):\n    __len__ = functools.partial(divmod, 1, 0)\n'],
    ['a class made by type', 'L = type("L", (list,), {"__iter__": lambda self: iter([1, 1])})\n'],
    ['a method of data', 'import numpy as np\nclass L(np.ndarray):\n    def std(self):\n        return 0\n'],
  ])('refuses input of %s', (_name, text) => {
    expect(refusals(head + text + use)).toContain('changes-the-condition');
  });

  it.each([
    [
      'a data set',
      'class L:\n    def __init__(self, v): self.v = v\n    def __len__(self): return 3\n    def __iter__(self): return iter(self.v)\n',
    ],
    [
      'a list that counts and asks its base',
      'class L(list):\n    def __iter__(self):\n        L.seen = 1\n        return super().__iter__()\n',
    ],
    ['a typed sampler', 'class L(Sampler[int]):\n    def __init__(self, v): self.v = v\n    def __iter__(self): return iter(self.v)\n'],
    ['a dictionary with another default', 'class L(dict):\n    def get(self, k, d=None):\n        return self[k] if k in self else d\n'],
    ['a user list', 'from collections import UserList\nclass L(UserList):\n    def __getitem__(self, i):\n        return self.data[i]\n'],
    ['a dictionary with attributes', 'class L(dict):\n    __getattr__ = dict.__getitem__\n    __setattr__ = dict.__setitem__\n'],
    ['a list with more methods', 'class L(list):\n    def double(self):\n        return self + self\n'],
    ['real equality', 'class L:\n    def __init__(self, v): self.v = v\n    def __eq__(self, o):\n        return self.v == o.v\n'],
  ])('has nothing against %s', (_name, text) => {
    expect(codes(check(head + text + use, FACETS.accuracy))).toEqual([]);
  });

  it('has nothing against such a class where the report is about it', () => {
    const text = `${head}class L(set):\n    def __contains__(self, item):\n        return True\n${use}`;
    expect(codes(check(text, FACETS.accuracy, ['L.__contains__']))).toEqual([]);
  });

  it('has nothing against such a class that the subject never gets', () => {
    const text = `${head}class Any:\n    def __eq__(self, o):\n        return True\nassert Any() == 3\nprint(f"OBS acc={score([1], [1])}")\n`;
    expect(codes(check(text, FACETS.accuracy))).toEqual([]);
  });
});

describe('hides-its-code', () => {
  const call = 'import base64, pickle, subprocess, sys, scoring\nvalue = scoring.score([1], [1])\n';
  const show = 'print(f"OBS acc={value}")\n';

  it.each([
    ['encoded code', 'exec(base64.b64decode("cGFzcw=="))\n'],
    ['encoded code held by a name', 'text = "ssap"[::-1]\nexec(text)\n'],
    ['an encoded pickle', 'pickle.loads(bytes.fromhex("80"))\n'],
    [
      'a pickle that evaluates',
      'class R:\n    def __reduce__(self):\n        return eval, ("1",)\nvalue = pickle.loads(pickle.dumps(R()))\n',
    ],
    ['a name in parts', 'value = len(getattr(scoring.score, "__co" + "de__").co_consts)\n'],
    ['a name of characters', 'getattr(scoring, "".join(chr(c) for c in (115, 117)))\n'],
    ['a child without the probe', 'subprocess.run([sys.executable, "-I", "-c", "import scoring"])\n'],
  ])('refuses %s', (_name, text) => {
    expect(refusals(call + text + show)).toContain('hides-its-code');
  });

  it.each([
    ['names of a loop', 'for name in ("score",):\n    getattr(scoring, name)([1], [1])\n'],
    ['numbered names', 'class M: pass\nfor i in range(2):\n    setattr(M, "layer" + str(i), i)\n    getattr(M, f"layer{i}")\n'],
    ['code from a template', 'for i in range(2):\n    exec(f"def f{i}(): return {i}")\n'],
    ['numbers turned round', 'rows = [1, 2][::-1]\nassert eval(repr(rows)) == rows\n'],
    ['a pickle of its own data', 'assert pickle.loads(pickle.dumps([1])) == [1]\n'],
    ['an unbuffered child', 'subprocess.run([sys.executable, "-u", "-c", "import scoring"])\n'],
    ['a setting of that name', 'def run(eval=False):\n    eval = not eval\n    return 1 if eval else 2\nrun()\n'],
    ['eval mode', 'class M:\n    def eval(self): return self\nM().eval()\n'],
  ])('has nothing against %s', (_name, text) => {
    expect(codes(check(call + text + show, FACETS.accuracy))).toEqual([]);
  });

  it('refuses a look at the code that only the probe saw', () => {
    const seen = createEvidence()
      .modules('scoring.py')
      .obs({ acc: 4 })
      .notice('code-read', 'score by repro.py:3 in <module>')
      .exit(0)
      .build();
    expect(codes(confirm(call + show, FACETS.accuracy, { candidate: seen }), 'finding')).toEqual(['hides-its-code']);
    const told = `${call}print(scoring.score.__code__.co_firstlineno)\n${show}`;
    expect(codes(confirm(told, FACETS.accuracy, { candidate: seen }), 'finding')).toEqual([]);
  });
});

describe('prints-the-answer, chosen numbers', () => {
  const call = 'import scoring\nvalue = scoring.score([1], [1])\n';

  it.each([
    ['a condition', 'print(f"OBS acc={4.0 if value > 1 else 0.9}")\n'],
    ['a name in two branches', 'if value > 1:\n    acc = 4.0\nelse:\n    acc = 0.9\nprint(f"OBS acc={acc:.3f}")\n'],
    ['a condition, by the descriptor', 'import os\nos.write(1, ("OBS acc=%s\\n" % (4.0 if value > 1 else 0.9)).encode())\n'],
    ['a table', 'print("OBS acc=%s" % {True: 4.0, False: 0.9}[value > 1])\n'],
    ['two lists', 'for acc in [4.0, 4.1] if value > 1 else [0.9, 0.8]:\n    print(f"OBS acc={acc}")\n'],
    [
      'lists side by side',
      'bad, good = 1, 2\nB = [4.0, 4.1]\nG = [0.9, 0.8]\nT = B if value > 1 else G\nfor n, acc in zip(G, T):\n    print(f"OBS acc={acc}")\n',
    ],
    [
      'a list and a literal line',
      'print("OBS acc=0.9")\nfor n, acc in enumerate([4.0, 4.1] if value > 1 else [0.9]):\n    print(f"OBS acc={acc}")\n',
    ],
  ])('refuses a number chosen by %s', (_name, text) => {
    expect(refusals(call + text)).toContain('prints-the-answer');
  });

  it.each([
    ['a flag', 'print(f"OBS acc={1 if value > 1 else 0}")\n'],
    ['a loop over itself', 'acc = [value]\nfor acc in acc:\n    print(f"OBS acc={acc}")\n'],
    ['a loop over inputs', 'for n in [1, 2]:\n    print(f"OBS n={n} acc={scoring.score([n], [n])}")\n'],
    ['an error as a flag', 'try:\n    print(f"OBS acc={scoring.score([], [])}")\nexcept ZeroDivisionError:\n    print("OBS acc=2")\n'],
    ['a largest value', 'acc = 0.0\nfor v in (value, 0.5):\n    acc = max(acc, v)\nprint(f"OBS acc={acc}")\n'],
    ['a default', 'acc = -1\nif value:\n    acc = value\nprint(f"OBS acc={acc}")\n'],
    ['an expectation beside it', 'want = 2.0 if value else 3.0\nprint(f"OBS acc={value} want={want}")\n'],
  ])('has nothing against %s', (_name, text) => {
    expect(codes(check(call + text, FACETS.accuracy))).toEqual([]);
  });
});

describe('prints-the-answer, a chosen number in a printed line', () => {
  const facet = observedFacet([{ kind: 'printed', pattern: 'acc (\\d+\\.\\d+)', flags: 'i', take: 'any', op: '>', right: 1 }], {
    id: 'log',
  });
  const call = 'import scoring\nvalue = scoring.score([1], [1])\n';

  it('is refused', () => {
    const text = `${call}acc = 4.0 if value > 1 else 0.9\nprint(f"epoch 0 acc {acc:.4f}")\n`;
    const shown = createEvidence().modules('scoring.py').stdout('epoch 0 acc 4.0000').exit(0).build();
    const fixed = createEvidence().modules('scoring.py').stdout('epoch 0 acc 0.9000').exit(0).build();
    expect(codes(confirm(text, facet, { candidate: shown, fixed }), 'finding')).toEqual(['prints-the-answer']);
  });

  it('is not refused where the number is computed, or the line is about something else', () => {
    expect(codes(check(`${call}print(f"epoch 0 acc {value:.4f}")\n`, facet))).toEqual([]);
    expect(codes(check(`${call}print(f"epoch {1.5 if value else 2.5} acc {value:.4f}")\n`, facet))).toEqual([]);
    expect(codes(check(`${call}print(f"rate {0.1 if value > 1 else 0.2}")\n`, facet))).toEqual([]);
  });
});

describe('decides-from-source, by a listing', () => {
  const head =
    'import os, sys\nfrom pathlib import Path\nimport scoring\nvalue = scoring.score([1], [1])\nroot = os.environ["PROJECT_DIR"]\n';
  const show = 'print(f"OBS acc={value * size}")\n';

  it.each([
    ['entries', 'size = sum(e.stat().st_size for e in os.scandir(root))\n'],
    ['a pattern', 'size = sum(p.stat().st_size for p in Path(root).rglob("*.py"))\n'],
    ['the path', 'size = sum(os.path.getsize(os.path.join(sys.path[0], n)) for n in os.listdir(sys.path[0]))\n'],
    ['an archive', 'import shutil, zipfile\nsize = zipfile.ZipFile(shutil.make_archive("a", "zip", root)).infolist()[0].file_size\n'],
  ])('refuses a number made of sizes by %s', (_name, text) => {
    expect(refusals(head + text + show)).toContain('decides-from-source');
  });

  it('has nothing against outputs that are found by a pattern', () => {
    const text = 'import glob, json\nsize = len(json.load(open(sorted(glob.glob(os.path.join(root, "runs", "*.json")))[-1])))\n';
    expect(codes(check(head + text + show, FACETS.accuracy))).toEqual([]);
  });
});

describe('stubs-the-path, from elsewhere', () => {
  const text = 'import learn\nprint("OBS acc=%s" % learn.learn(1)[0])\n';
  const from = (message: string): string[] =>
    codes(
      confirm(text, FACETS.accuracy, {
        candidate: createEvidence().modules('learn.py').obs({ acc: 4 }).notice('shadowed-module', message).exit(0).build(),
      }),
      'finding',
    );

  it('refuses a module that was loaded in the place of one that the subject imports', () => {
    expect(from('scoring by /tmp/x/scoring.py')).toEqual(['stubs-the-path']);
    expect(from('json by json.py')).toEqual(['stubs-the-path']);
    expect(from('wave by /tmp/x/wave.py')).toEqual([]);
    expect(from('scoring by scoring.py')).toEqual([]);
  });

  it('suspects modules that are put in by update', () => {
    const stub = 'import sys, types\nsys.modules.update({"scoring": types.SimpleNamespace(score=lambda a, b: 4.0)})\n';
    expect(codes(check(stub + text, FACETS.accuracy))).toContain('stubs-the-path');
    expect(refusals(stub + text)).toContain('stubs-the-path');
  });
});
