import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PythonChunks } from './python-chunks.js';
import { chunkPython } from './python-chunks.js';
import { decodeSource } from './decode-source.js';
import { loadPythonSyntax } from './python-syntax.js';

const syntax = await loadPythonSyntax();

function chunk(text: string, file = 'pkg/mod.py'): PythonChunks {
  const tree = syntax.parse(text);
  try {
    return chunkPython({ file, text, root: tree.rootNode });
  } finally {
    tree.delete();
  }
}

function spans(text: string): string[] {
  return chunk(text).chunks.map((item) => `${item.kind} ${item.name} ${item.startLine}-${item.endLine} ${item.quality}`);
}

const MODULE = `import torch

RATE = 0.1


@cached
@other(1)
def build(width):
    def inner():
        return width
    return inner


class Net(Base):
    """Doc."""
    width = 3

    def __init__(self, width):
        self.width = width

    @property
    async def size(self):
        return self.width

    class Config:
        debug = True


if __name__ == "__main__":
    build(3)
`;

describe('chunkPython', () => {
  it('makes functions, methods, class shells and module-level runs, decorators included', () => {
    expect(spans(MODULE)).toEqual([
      'run pkg.mod 1-3 clean',
      'function build 6-11 clean',
      'class Net 14-26 clean',
      'method Net.__init__ 18-19 clean',
      'method Net.size 21-23 clean',
      'class Net.Config 25-26 clean',
      'run pkg.mod 29-30 clean',
    ]);
  });

  it('shows a class as header, attributes and method signatures', () => {
    const shell = chunk(MODULE).chunks.find((item) => item.name === 'Net');
    expect(shell?.text.split('\n').map((line) => line.trim())).toEqual([
      'class Net(Base):',
      '"""Doc."""',
      'width = 3',
      'def __init__(self, width):',
      '@property',
      'async def size(self):',
      'class Config:',
    ]);
  });

  it('knows definitions at any depth with their signatures', () => {
    const { definitions } = chunk(MODULE);
    expect(definitions.map((item) => item.name)).toEqual(['build', 'build.inner', 'Net', 'Net.__init__', 'Net.size', 'Net.Config']);
    expect(definitions[0]?.signature).toBe('@cached\n@other(1)\ndef build(width):');
  });

  it('finds definitions inside module-level conditions', () => {
    expect(spans('try:\n    import a\nexcept ImportError:\n    def a():\n        return 1\nelse:\n    x = 1\n')).toEqual([
      'run pkg.mod 1-3 clean',
      'function a 4-5 clean',
      'run pkg.mod 6-7 clean',
    ]);
  });

  it('splits more than 120 lines at statements and repeats the header', () => {
    const body = Array.from({ length: 150 }, (_, index) => `    if x > ${index}:\n        x = f(\n            ${index})`).join('\n');
    const { chunks } = chunk(`def long(\n    x,\n):\n${body}\n`);
    expect(chunks.length).toBeGreaterThan(3);
    for (const part of chunks) expect(part.endLine - part.startLine + 1).toBeLessThanOrEqual(120);
    for (const part of chunks.slice(1)) {
      expect(part.text.startsWith('def long(\n    x,\n):\n    # …\n    if x > ')).toBe(true);
      expect(part.name).toBe('long');
    }
    expect(chunks.map((part) => part.startLine).slice(1)).toEqual(chunks.map((part) => part.endLine + 1).slice(0, -1));
  });

  it('falls back to windows of 60 lines, stride 40, where the text does not parse', () => {
    const broken = Array.from({ length: 130 }, (_, index) => `{% if ${index} %} ((`).join('\n');
    expect(chunk(broken).chunks.map((item) => [item.kind, item.startLine, item.endLine])).toEqual([
      ['window', 1, 60],
      ['window', 41, 100],
      ['window', 81, 130],
    ]);
  });

  it('keeps the definitions around a broken one and marks its quality', () => {
    const found = spans('def good():\n    return 1\n\ndef bad():\n    x = (1,\n\ndef late():\n    return 2\n');
    expect(found[0]).toBe('function good 1-2 clean');
    expect(found.some((item) => item.includes('bad') && !item.endsWith('clean'))).toBe(true);
  });

  it('reads Python 2 and tabs', () => {
    expect(spans('def f():\n\tprint "loss", 1\n\ttry:\n\t\tpass\n\texcept ValueError, e:\n\t\traise\n')[0]).toMatch(
      /^function f 1-\d clean|^function f 1-\d errors/,
    );
  });

  it('gives the same chunks with CRLF, CR and a byte-order mark', () => {
    const plain = chunk(MODULE).chunks;
    for (const variant of [MODULE.replaceAll('\n', '\r\n'), MODULE.replaceAll('\n', '\r'), `\uFEFF${MODULE}`]) {
      expect(chunk(decodeSource(Buffer.from(variant))).chunks).toEqual(plain);
    }
  });

  it('survives deep nesting', () => {
    expect(chunk(`x = ${'('.repeat(5000)}1${')'.repeat(5000)}\n`).chunks.length).toBeGreaterThan(0);
    const nested = Array.from({ length: 500 }, (_, index) => `${' '.repeat(index)}if x:`).join('\n');
    expect(chunk(`${nested}\n${' '.repeat(500)}y = 1\n`).chunks.length).toBeGreaterThan(0);
  });

  it('puts every non-blank line of any text into a chunk, in spans inside the file', () => {
    const line = fc.constantFrom(
      'def f(x):',
      '    return x',
      'class A:',
      '    def m(self):',
      '        pass',
      '"""',
      ')',
      '@dec',
      'x = [',
      '\tif y:',
      '',
      '# note',
      'print "a"',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const text = lines.join('\n');
        const covered = new Set<number>();
        for (const item of chunk(text).chunks) {
          expect(item.startLine).toBeGreaterThanOrEqual(1);
          expect(item.endLine).toBeLessThanOrEqual(Math.max(1, lines.length));
          for (let number = item.startLine; number <= item.endLine; number++) covered.add(number);
        }
        lines.forEach((content, index) => {
          if (content.trim() !== '') expect(covered.has(index + 1)).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });
});
