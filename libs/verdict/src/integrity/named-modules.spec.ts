import { walkPython } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { python, subject } from './fixtures/rule-bench.js';
import { heldName } from './named-modules.js';
import { followScript } from './script-flow.js';

function held(text: string): string | null {
  const flow = followScript(python, [{ path: 'repro.py', text: `import importlib, sys\nimport numpy as np\n${text}\n` }], subject);
  const source = flow?.sources[0];
  if (flow === null || source === undefined) throw new Error('the script cannot be read');
  try {
    const call = [...walkPython(source.root)].findLast((node) => node.childForFieldName('function')?.text === 'show');
    return heldName(flow, call?.childForFieldName('arguments')?.namedChild(0) ?? null, source);
  } finally {
    flow.dispose();
  }
}

describe('heldName', () => {
  it.each([
    ['show(np.linalg)', 'numpy.linalg'],
    ['show((np).linalg)', 'numpy.linalg'],
    ['m = np\nshow(m.linalg)', 'numpy.linalg'],
    ['show(sys.modules["numpy"])', 'numpy'],
    ['show(importlib.import_module("numpy.linalg"))', 'numpy.linalg'],
    ['m = __import__("numpy")\nshow(m.mean)', 'numpy.mean'],
    ['m = m\nshow(m)', null],
    ['a = b\nb = a\nshow(a)', null],
    ['m = np\nm = sys\nshow(m)', null],
    ['for m in [np]:\n    show(m)', null],
    ['show(other["numpy"])', null],
    ['show(importlib.import_module(name))', null],
    ['show(load("numpy"))', null],
    ['show(3)', null],
  ])('of %j is %s', (text, expected) => {
    expect(held(text)).toBe(expected);
  });
});
