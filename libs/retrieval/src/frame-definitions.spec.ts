import { indexSources } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { findFrames } from './frame-definitions.js';
import type { QueryFrame } from './query.js';

const FILES = {
  'process.py': 'def start():\n    return 1\n',
  'pkg/loop.py':
    'class A:\n    def run(self):\n        return 1\n\n\nclass B:\n    def run(self):\n        def inner():\n            return 2\n        return inner\n',
  'pkg/sub/loop.py': 'x = 1\n',
};
const index = await indexSources(Object.entries(FILES).map(([file, text]) => ({ file, kind: 'python', text })));

function found(...frames: QueryFrame[]): string[] {
  return findFrames(index, frames).map((known) => `${known.file} ${known.definition?.name ?? '-'}`);
}

describe('findFrames', () => {
  it('matches by the longest common end of the path, also with backslashes', () => {
    expect(found({ file: 'D:\\a\\pkg\\sub\\loop.py', function: '<module>', line: 1 })).toEqual(['pkg/sub/loop.py -']);
    expect(found({ file: './pkg/loop.py', function: 'run', line: 7 })).toEqual(['pkg/loop.py B.run']);
  });

  it('takes the definition around the line, or the first of that name', () => {
    expect(found({ file: 'pkg/loop.py', function: 'run' })).toEqual(['pkg/loop.py A.run']);
    expect(found({ file: 'pkg/loop.py', function: 'B.run.<locals>.inner', line: 9 })).toEqual(['pkg/loop.py B.run.inner']);
  });

  it('gives the deepest frame first and each place once', () => {
    const frames = [
      { file: 'process.py', function: 'start', line: 2 },
      { file: 'pkg/loop.py', function: 'run', line: 3 },
      { file: 'pkg/loop.py', function: 'run', line: 2 },
    ];
    expect(found(...frames)).toEqual(['pkg/loop.py A.run', 'process.py start']);
  });

  it('leaves out files of libraries that only bear the same name', () => {
    expect(found({ file: '/usr/lib/python3.11/multiprocessing/process.py', function: '_bootstrap', line: 9 })).toEqual([]);
    expect(found({ file: '/env/site-packages/torch/process.py', function: 'other' })).toEqual([]);
    expect(found({ file: '/env/site-packages/pkg/loop.py', function: '<module>', line: 1 })).toEqual(['pkg/loop.py -']);
    expect(found({ file: 'unknown.py' }, { file: '' }, { file: '<string>' })).toEqual([]);
  });
});
