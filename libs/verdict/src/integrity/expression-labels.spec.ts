import { describe, expect, it } from 'vitest';
import { askAbout } from './fixtures/asked-node.js';
import { EDITED, FROM_SOURCE, FROM_SUBJECT, has, IMITATION, IMPURE, NAMES_SOURCE, NAMES_SUBJECT, NAMESPACE } from './labels.js';

const NAMES = {
  subject: FROM_SUBJECT,
  source: FROM_SOURCE,
  'names subject': NAMES_SUBJECT,
  'names source': NAMES_SOURCE,
  impure: IMPURE,
  edited: EDITED,
  imitation: IMITATION,
  namespace: NAMESPACE,
};

/** Labels of what a script shows, in words. */
const labels = (text: string): string =>
  askAbout(`${text}\n`, (query, node, source) => {
    const found = query.flow.labelsOf(node, source);
    return Object.entries(NAMES)
      .filter(([, label]) => has(found, label))
      .map(([name]) => name)
      .join(', ');
  });

describe('labelsOf', () => {
  it.each([
    ['show(vars(scoring))', 'subject, impure, namespace'],
    ['show(vars(p))', 'subject, impure'],
    ['show(vars())', 'impure'],
    ['show(scoring.__dict__)', 'subject, namespace'],
    ['show(p.__dict__)', 'subject, impure'],
    ['show(torch.__dict__)', 'namespace'],
    ['show(logging.__dict__)', ''],
    ['show(__builtins__)', 'namespace'],
    ['show(vars(__builtins__))', 'impure, namespace'],
    ['show(__builtins__.__dict__)', 'namespace'],
    ['show((vars(scoring)))', 'subject, impure, namespace'],
    ['show(vars(scoring) if value else 1)', 'subject, impure, namespace'],
    ['show(dict(vars(scoring)))', 'subject, impure'],
    ['show([n for n in vars(scoring)])', 'subject, impure'],
    ['show(__builtins__ if value else 3)', 'subject, impure, namespace'],
    ['import json\nshow(json.__dict__)', 'namespace'],
    ['show(p.pick.__globals__)', 'subject, impure, namespace'],
  ])('of names that code sees, %j: %s', (text, expected) => {
    expect(labels(text)).toBe(expected);
  });

  it.each([
    ['show({n: 1 for n in (3, 4)})', ''],
    ['show({n for n in p.seen})', 'subject, impure'],
    ['show([time.time() for n in (3, 4)])', 'impure'],
    ['show(lambda: value)', 'subject, impure'],
    ['show(sys.argv)', ''],
    ['show(picker.LIMIT)', 'subject'],
    ['show(p.size)', 'subject, impure'],
    ['show(p.pick(3))', 'subject, impure'],
    ['show(time.time())', 'impure'],
    ['show(len([3]))', ''],
    ['show(unbound)', ''],
    ['show(unbound.method(3))', ''],
    ['rows = [3]\nshow(rows.copy())', ''],
    ['show(torch.zeros(3))', 'impure'],
    ['class A:\n    v = 3\na = A()\na.v = value\nb = A()\nshow(b.v)', 'subject, impure'],
    ['class A:\n    v = 3\na = A()\na.e = value\nshow(torch.e)', ''],
    ['class A:\n    v = 3\na = A()\na.size = time.time()\nshow(a.other)', 'impure'],
    ['from scoring import *\nshow(score)', 'subject'],
    ['from scoring import *\nshow(other)', ''],
    ['from json import *\nshow(score)', ''],
    ['from . import nothing\nshow(nothing)', ''],
    ['import picker as q\nshow(q)', 'subject'],
    ['class L(list):\n    def __len__(self):\n        return 3\nshow(L())', 'impure, imitation'],
    ['L = type("L", (list,), {"__len__": lambda self: 3})\nshow(L)', 'imitation'],
    ['import picker.nothing\nshow(picker)', 'subject'],
    ['import torch.nn as nn\nshow(nn)', ''],
  ])('of expressions, %j: %s', (text, expected) => {
    expect(labels(text)).toBe(expected);
  });

  it.each([
    ['show(sys.path)', 'names subject'],
    ['show(os.path.dirname("picker.py"))', 'names subject'],
    ['show("picker.py")', 'names subject, names source'],
    ['show(open("picker.py"))', 'source, names subject, names source'],
    ['show(open("out.txt"))', 'subject'],
    ['show(os.stat("picker.py"))', 'source'],
    ['show(os.stat("out.txt"))', 'impure'],
    ['text = open("picker.py").read()\nshow(text)', 'source, names subject, names source, impure'],
    ['text = open("picker.py").read()\nshow(text.replace("a", "b"))', 'source, names subject, names source, impure, edited'],
    ['text = open("picker.py").read()\nshow(text + "b")', 'source, names subject, names source, impure, edited'],
    ['import subprocess\nshow(subprocess.run(["python", "picker.py"]))', 'subject'],
    ['import subprocess\nshow(subprocess.run(["cat", "picker.py"]))', 'source'],
    ['import subprocess\nshow(subprocess.run(["date"]))', 'impure'],
    [
      'import subprocess\ntext = open("picker.py").read()\nshow(subprocess.run(["python", "-c", text.replace("a", "b")]))',
      'source, impure, edited',
    ],
    ['text = open("picker.py").read()\nshow(exec(text))', 'subject, impure'],
    ['text = open("picker.py").read()\nshow(exec(text + "b"))', 'source, impure, edited'],
    ['text = open("picker.py").read()\nspace = {}\nexec(text.replace("a", "b"), space)\nshow(space)', 'source, edited'],
    ['text = open("picker.py").read()\nspace = {}\nexec(text, space)\nshow(space)', 'subject'],
    ['space = {}\nexec("import json", space)\nshow(space)', ''],
    ['show(hasattr(picker, "x"))', 'subject, source'],
    ['getattr(picker, "x")\nshow(hasattr(picker, "x"))', 'subject'],
    ['getattr(picker, f"x{value}")\nshow(hasattr(picker, f"x{value}"))', 'subject, source, impure'],
    ['show(hasattr(torch, "x"))', ''],
    ['show(os.listdir(os.environ["PROJECT_DIR"]))', 'names subject, names source, impure'],
    ['import glob\nshow(glob.glob(os.environ["PROJECT_DIR"] + "/*.py"))', 'names subject, names source, impure'],
    ['import glob\nshow(glob.glob(os.environ["PROJECT_DIR"] + "/*.txt"))', 'names subject, impure'],
    ['import shutil\nshow(shutil.copytree(os.environ["PROJECT_DIR"], "out.txt"))', 'names subject, impure'],
    ['import inspect\nshow(inspect.getsource(picker))', 'source'],
    ['import inspect\nshow(inspect.getsource(torch))', 'impure'],
    ['from pathlib import Path\nshow(Path("picker.py").read_text())', 'source, names subject, names source'],
    ['from pathlib import Path\nshow(Path("out.txt").read_text())', 'subject'],
    ['from pathlib import Path\nshow(Path("picker.py").stat())', 'source'],
    ['import shutil\nshow(shutil.make_archive("copy", "zip", os.environ["PROJECT_DIR"]))', 'names subject, names source, impure'],
    ['import shutil\nshow(shutil.make_archive("copy", "zip", "out"))', 'impure'],
    ['show("in" in dir(picker))', 'subject, source'],
  ])('of files, their text and what runs it, %j: %s', (text, expected) => {
    expect(labels(text)).toBe(expected);
  });

  it.each([
    ['def f():\n    return 3\nshow(f())', ''],
    ['def f():\n    return value\nshow(f())', 'subject, impure'],
    ['rows = []\np.pick(rows)\nshow(rows)', 'subject'],
    ['rows = []\nprint(rows)\nshow(rows)', ''],
    ['rows = []\ntime.sleep(rows)\nshow(rows)', ''],
    ['rows = []\ntorch.add(value, out=rows)\nshow(rows)', 'subject'],
    ['rows = []\nrows.append(value)\nshow(rows)', 'subject, impure'],
    ['rows = []\nif value:\n    rows.append(3)\nshow(rows)', 'subject'],
    ['rows = []\nif time.time():\n    rows.append(3)\nshow(rows)', ''],
    ['def f(n):\n    show(n)\np.pick(f)', 'subject'],
    ['p.pick(lambda n: show(n))', 'subject'],
    ['def f(n):\n    show(n)\np.pick(key=f)', 'subject'],
    ['def f(n):\n    show(n)\nprint(f)', ''],
    ['def f(a, b):\n    show(b)\nf(3, value)', 'subject, impure'],
    ['def f(a, b):\n    show(a)\nf(3, value)', ''],
    ['class A:\n    def f(self, a, b):\n        show(a)\nA().f(value, 3)', 'subject, impure'],
    ['class A:\n    @classmethod\n    def f(cls, a, b):\n        show(b)\nA.f(value, 3)', ''],
    ['def f(self, a):\n    show(a)\nf(value, 3)', ''],
    ['def f(a, *rest):\n    show(rest)\nf(1, 2, value)', 'subject, impure'],
    ['def f(a, b):\n    show(a)\nf(*value)', 'subject, impure'],
    ['def f(a, b):\n    show(a)\nf(b=value, a=1)', ''],
    ['def f(a, b):\n    show(b)\nf(1, # no\n  value)', 'subject, impure'],
    ['if value:\n    def g():\n        pass\ndef f(a):\n    show(a)\nif value:\n    f(3)', 'subject, impure'],
    ['rows = []\ntorch.add(key=value, out=rows, # no\n)\nshow(rows)', 'subject'],
    ['from picker import running\ndef f(a):\n    show(a)\nf(time.time())', 'impure'],
  ])('of what a call hands on, %j: %s', (text, expected) => {
    expect(labels(text)).toBe(expected);
  });
});
