import { describe, expect, it } from 'vitest';
import { createImportResolver, readImports } from './imports.js';
import { loadPythonSyntax } from './python-syntax.js';

const syntax = await loadPythonSyntax();
const FILES = [
  'train.py',
  'model.py',
  'src/pkg/__init__.py',
  'src/pkg/core/__init__.py',
  'src/pkg/core/loop.py',
  'src/pkg/data.py',
  'tools/run.py',
  'tools/local.py',
  'lib/deep/inner/__init__.py',
  'lib/deep/inner/x.py',
];

function resolved(from: string, text: string): string[] {
  const resolve = createImportResolver(FILES);
  const tree = syntax.parse(text);
  return readImports(tree.rootNode).map((binding) => {
    const { local, file, isModule } = resolve(from, binding);
    return `${local} ${file ?? '-'}${isModule ? ' module' : ''}`;
  });
}

describe('imports', () => {
  it.each([
    ['train.py', 'import model', ['model model.py module']],
    ['train.py', 'import torch.nn as nn, os', ['nn -', 'os -']],
    ['train.py', 'from model import Net, build as b', ['Net model.py', 'b model.py']],
    ['train.py', 'from pkg.core import loop', ['loop src/pkg/core/loop.py module']],
    ['train.py', 'from pkg.core.loop import fit', ['fit src/pkg/core/loop.py']],
    ['train.py', 'def f():\n    from pkg import data', ['data src/pkg/data.py module']],
    ['src/pkg/core/loop.py', 'from . import other', ['other src/pkg/core/__init__.py']],
    ['src/pkg/core/loop.py', 'from .. import data', ['data src/pkg/data.py module']],
    ['src/pkg/core/loop.py', 'from ..data import rows', ['rows src/pkg/data.py']],
    ['src/pkg/core/loop.py', 'from .....data import rows', ['rows -']],
    ['tools/run.py', 'import local', ['local tools/local.py module']],
    ['train.py', 'from inner.x import y', ['y lib/deep/inner/x.py']],
    ['train.py', 'from model import *', ['* model.py']],
    ['train.py', 'from __future__ import annotations', []],
    ['train.py', 'from model import (\n    A,\n    B,\n)', ['A model.py', 'B model.py']],
  ])('%s: %j', (from, text, expected) => {
    expect(resolved(from, text)).toEqual(expected);
  });
});
