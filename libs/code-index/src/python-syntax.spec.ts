import { describe, expect, it } from 'vitest';
import { loadPythonSyntax, walkPython } from './python-syntax.js';

describe('loadPythonSyntax', () => {
  it('loads once and parses, also broken text', async () => {
    const python = await loadPythonSyntax();
    expect(await loadPythonSyntax()).toBe(python);
    const tree = python.parse('def f(x):\n  return x\n');
    expect(tree.rootNode.hasError).toBe(false);
    expect([...walkPython(tree.rootNode)].map((node) => node.type)).toEqual([
      'module',
      'function_definition',
      'identifier',
      'parameters',
      'identifier',
      'block',
      'return_statement',
      'identifier',
    ]);
    tree.delete();
    const broken = python.parse('def f(:\n');
    expect(broken.rootNode.hasError).toBe(true);
    broken.delete();
  });

  it('counts offsets in UTF-16 units', async () => {
    const python = await loadPythonSyntax();
    const text = 'a = "😀é"\nb = 1\n';
    const tree = python.parse(text);
    const last = [...walkPython(tree.rootNode)].at(-1);
    expect(text.slice(last?.startIndex, last?.endIndex)).toBe('1');
    tree.delete();
  });
});
