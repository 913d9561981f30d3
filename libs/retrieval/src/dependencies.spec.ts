import { indexSources } from '@reenact/code-index';
import type { ContextBlock } from '@reenact/domain';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dependencyBlocks } from './dependencies.js';
import { openInstalled } from './installed-signatures.js';

async function dependenciesOf(files: Record<string, string>, shown: string, installed: string[] = []): Promise<ContextBlock[]> {
  const sources = Object.entries(files).map(([file, text]) => ({ file, kind: 'python' as const, text }));
  const text = files[shown] ?? '';
  const start = text.indexOf('def run');
  const body = text.slice(start);
  const isMethod = text[start - 1] === ' ';
  const lines = text.split('\n').length;
  const block: ContextBlock = {
    role: 'frame',
    file: shown,
    startLine: lines - body.split('\n').length + 1,
    endLine: lines,
    name: isMethod ? 'T.run' : 'run',
    text: body,
    score: 1,
  };
  return dependencyBlocks(await indexSources(sources), [block], openInstalled(installed));
}

/** `file name` of each block. */
async function namesOf(files: Record<string, string>, shown = 'main.py'): Promise<string[]> {
  return (await dependenciesOf(files, shown)).map((block) => `${block.file} ${block.name}`);
}

const MODEL =
  'class Net:\n    def build(self):\n        return 1\n\n\ndef make(width):\n    return width\n\n\ndef other():\n    return 2\n';

describe('dependencies of shown code', () => {
  it.each<[title: string, files: Record<string, string>, expected: string[]]>([
    ['an imported name', { 'main.py': 'from model import make\ndef run():\n    make(3)\n', 'model.py': MODEL }, ['model.py make']],
    ['a renamed import', { 'main.py': 'from model import make as m\ndef run():\n    m(3)\n', 'model.py': MODEL }, ['model.py make']],
    [
      'what a module is asked for',
      { 'main.py': 'import model\ndef run(other):\n    model.make(3)\n', 'model.py': MODEL },
      ['model.py make'],
    ],
    ['a method by its class', { 'main.py': 'import model as m\ndef run():\n    m.Net.build\n', 'model.py': MODEL }, ['model.py Net.build']],
    ['a star import', { 'main.py': 'from model import *\ndef run():\n    make(3)\n', 'model.py': MODEL }, ['model.py make']],
    ['nothing that is not used', { 'main.py': 'from model import make, other\ndef run():\n    pass\n', 'model.py': MODEL }, []],
    [
      'a relative import',
      {
        'pkg/__init__.py': '',
        'pkg/a/__init__.py': '',
        'pkg/a/main.py': 'from ..model import make\ndef run():\n    make(3)\n',
        'pkg/model.py': MODEL,
      },
      ['pkg/model.py make'],
    ],
    [
      'a name that packages hand up',
      {
        'main.py': 'from pkg import make\ndef run():\n    make(3)\n',
        'pkg/__init__.py': 'from .core import make\n',
        'pkg/core/__init__.py': 'from .model import *\n',
        'pkg/core/model.py': MODEL,
      },
      ['pkg/core/model.py make'],
    ],
    [
      'a chain of modules',
      {
        'main.py': 'import pkg.core.model\ndef run():\n    pkg.core.model.make(3)\n',
        'pkg/__init__.py': '',
        'pkg/core/__init__.py': '',
        'pkg/core/model.py': MODEL,
      },
      ['pkg/core/model.py make'],
    ],
    [
      'a module of a package',
      { 'main.py': 'import pkg as p\ndef run():\n    p.model.make(3)\n', 'pkg/__init__.py': '', 'pkg/model.py': MODEL },
      ['pkg/model.py make'],
    ],
    [
      'both branches of a conditional import',
      {
        'main.py': 'try:\n    from fast import make\nexcept ImportError:\n    from model import make\ndef run():\n    make(3)\n',
        'fast.py': 'def make(width):\n    return 9\n',
        'model.py': MODEL,
      },
      ['fast.py make', 'model.py make'],
    ],
    [
      'a circle of re-exports, without an end',
      {
        'main.py': 'from a import x\ndef run():\n    x()\n',
        'a.py': 'from b import *\nfrom b import x\n',
        'b.py': 'from a import *\nfrom a import x\n',
      },
      [],
    ],
    [
      'what the same file defines, methods of the same class too',
      {
        'main.py':
          'from model import make\nclass Job:\n    def stop(self):\n        pass\n    def other(self):\n        pass\ndef helper():\n    pass\ndef idle():\n    pass\nclass T(Job):\n    def near(self):\n        pass\n    def run(self):\n        self.near()\n        stop = helper()\n        make(stop)\n',
        'model.py': MODEL,
      },
      ['main.py helper', 'main.py T.near', 'model.py make'],
    ],
    [
      'what they use in turn, after them and no deeper',
      {
        'main.py': 'from a import first\nfrom model import make\ndef run():\n    first(make)\n',
        'a.py': 'from b import second\ndef first():\n    return second()\n',
        'b.py': 'from c import third\ndef second():\n    return third()\n',
        'c.py': 'def third():\n    return 3\n',
        'model.py': MODEL,
      },
      ['a.py first', 'model.py make', 'b.py second'],
    ],
  ])('hold %s', async (_title, files, expected) => {
    const shown = Object.keys(files).find((file) => file.endsWith('main.py'));
    expect(await namesOf(files, shown)).toEqual(expected);
  });

  it('show a short body, a signature of a long one, the shell of a class', async () => {
    const long = `def long(\n    width,\n):\n${'    x = 1\n'.repeat(80)}`;
    const files = {
      'main.py': 'from model import Net, long, other\ndef run():\n    Net(long, other)\n',
      'model.py': `${MODEL}\n\n${long}`,
    };
    const texts = (await dependenciesOf(files, 'main.py')).map((block) => block.text);
    expect(texts).toEqual(['class Net:\n    def build(self):', 'def long(\n    width,\n):', 'def other():\n    return 2']);
  });

  it('say where names of other packages come from', async () => {
    const files = {
      'main.py':
        'import os, torch.nn as nn\nfrom torch.optim import (\n    SGD as Descent,\n    Adam,\n)\nimport torch\ndef run():\n    nn.Linear(Descent)\n    torch.nn\n',
    };
    expect(await dependenciesOf(files, 'main.py')).toEqual([
      {
        role: 'dependency',
        file: 'main.py',
        startLine: 1,
        endLine: 6,
        name: 'imports',
        text: 'import torch.nn as nn\nfrom torch.optim import SGD as Descent\nimport torch',
        score: 0,
      },
    ]);
  });

  it('show signatures of other packages where they are installed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'packages-'));
    await writeFile(
      path.join(folder, 'deep.py'),
      'class Descent:\n    def __init__(self, rate):\n        pass\ndef load(path):\n    pass\n',
    );
    const text = 'import deep\nfrom deep import Descent as D, load\ndef run():\n    D(1)\n    deep.load("x")\n    deep.other()\n';
    const blocks = await dependenciesOf({ 'main.py': text }, 'main.py', [folder]);
    await rm(folder, { recursive: true });
    expect(blocks.map((block) => [block.file, block.text])).toEqual([
      ['main.py', 'import deep\nfrom deep import Descent as D\nfrom deep import load'],
      ['site-packages/deep.py', 'def load(path):'],
      ['site-packages/deep.py', '    def __init__(self, rate):'],
    ]);
  });
});
