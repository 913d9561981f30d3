import { readdirSync, readFileSync } from 'node:fs';
import type { ReportedException } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { decodeReport } from '../decode.js';
import { DEFAULT_REPORT_LIMITS } from '../limits.js';
import { readLines } from '../lines.js';
import { projectFrames, rootException } from './project-frames.js';
import { readTracebacks } from './read-tracebacks.js';

const FIXTURES = new URL('./fixtures/', import.meta.url);

function read(name: string): ReportedException[] {
  const { text } = decodeReport(readFileSync(new URL(`${name}.txt`, FIXTURES)), DEFAULT_REPORT_LIMITS);
  return readTracebacks(readLines(text), 100).exceptions;
}

/** Fixture, number of exceptions, type and message head of the root, innermost frame of the project, its line. */
const EXPECTED: [fixture: string, count: number, type: string, message: string, file: string, line: number][] = [
  ['plain', 1, 'IndexError', 'list index out of range', '/home/ada/click/net/loss.py', 12],
  ['quoted-mail', 1, 'KeyError', "'tokens'", 'net/feed.py', 4],
  ['indented-list', 1, 'ValueError', "can't optimize a non-leaf Tensor", 'net/fit.py', 21],
  ['default-prefix-torchrun', 1, 'RuntimeError', 'Tensors must be contiguous', '/home/ada/click/dist.py', 8],
  ['rank-words', 1, 'RuntimeError', "shape '[3]' is invalid for input of size 4", 'train.py', 3],
  ['srun-labels', 1, 'IndexError', 'list index out of range', 'sampler.py', 18],
  ['timestamps', 1, 'ValueError', 'shard is empty', '/app/data/shards.py', 31],
  ['logger-exception', 1, 'ZeroDivisionError', 'division by zero', '/srv/click/fit.py', 31],
  ['cuda-lines', 1, 'RuntimeError', 'CUDA error: device-side assert triggered', 'train.py', 88],
  [
    'dotted-name',
    1,
    'torch.OutOfMemoryError',
    'CUDA out of memory. Tried to allocate 3725.29 GiB. GPU 0 has a total capacity of 79.10 GiB',
    'bench.py',
    3,
  ],
  ['truncated-head', 1, 'RuntimeError', 'mat1 and mat2 shapes cannot be multiplied (4x8 and 16x2)', '/home/ada/click/net/attention.py', 81],
  ['truncated-middle', 1, 'IndexError', 'index 9 is out of bounds for dimension 0 with size 9', 'net/decoder.py', 55],
  ['ipython-old', 1, 'TypeError', 'head() takes 2 positional arguments but 3 were given', '~/click/net/fit.py', 42],
  ['ipython-new', 1, 'ValueError', 'row of 4 columns', '~/click/net/learn.py', 25],
  [
    'keras-filtered',
    1,
    'tensorflow.python.framework.errors_impl.InvalidArgumentError',
    'Exception encountered when calling Mix.call().',
    '/home/ada/click/layers.py',
    14,
  ],
  ['unfenced-flat', 1, 'json.decoder.JSONDecodeError', 'Expecting value: line 1 column 1 (char 0)', 'data.py', 8],
  ['pytest', 1, 'AttributeError', "'Tensor' object has no attribute 'missing'", 'net/loss.py', 4],
  ['python2', 1, 'ZeroDivisionError', 'integer division or modulo by zero', 'fit.py', 2],
  ['carets', 1, 'TypeError', "unhashable type: 'list'", '/home/ada/click/mix.py', 5],
  ['no-message', 1, 'AssertionError', '', 'train.py', 12],
  ['custom-lowercase', 1, 'socket.timeout', 'timed out', 'serve.py', 4],
  ['html-pre', 1, 'NotImplementedError', 'double backward', 'go.py', 6],
  ['windows', 1, 'RuntimeError', 'Parent directory C:\\tmp\\x does not exist.', 'C:\\Users\\ada\\click\\store.py', 9],
  ['ray-actor', 1, 'AssertionError', 'Torch not compiled with CUDA enabled', 'train.py', 8],
  ['spawn-raised', 1, 'IndexError', 'index 7 is out of bounds for dimension 0 with size 4', '/home/ada/click/spawn.py', 7],
  ['loader-worker', 1, 'KeyError', "'0'", '/home/ada/click/loader.py', 6],
  [
    'weights-only',
    1,
    '_pickle.UnpicklingError',
    'Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.',
    '/home/ada/click/load.py',
    4,
  ],
  ['note', 1, 'RuntimeError', 'loss is negative', '/home/ada/click/note.py', 5],
  ['chained-twice', 1, 'ValueError', "invalid literal for int() with base 10: 'x'", '/home/ada/click/chain.py', 6],
  ['syntax-error', 1, 'SyntaxError', 'invalid syntax', '/home/ada/click/synt.py', 1],
  ['recursion', 1, 'RecursionError', 'maximum recursion depth exceeded', '/home/ada/click/rec.py', 1],
  ['pool-remote', 1, 'ValueError', 'two is bad', '/home/ada/click/pool.py', 3],
  ['thread', 1, 'OSError', 'disk full', '/home/ada/click/thr.py', 2],
];

describe('readTracebacks', () => {
  it.each(EXPECTED)('reads %s', (...row) => {
    const [fixture, count, type, message, file, line] = row;
    const found = read(fixture);
    expect(found).toHaveLength(count);
    const root = rootException(found[0]!);
    expect({ type: root.type, message: root.message.split('\n', 1)[0]?.trim() }).toEqual({ type, message });
    expect(projectFrames(root).at(-1)).toMatchObject({ file, line });
  });

  it('has a row for every fixture', () => {
    const special = ['rank-prefix', 'no-frames', 'exception-group', 'child-failed'];
    const rows = new Set([...EXPECTED.map(([name]) => name), ...special]);
    expect(
      readdirSync(FIXTURES)
        .map((name) => name.replace('.txt', ''))
        .filter((name) => !rows.has(name)),
    ).toEqual([]);
  });

  it('takes interleaved ranks apart', () => {
    const found = read('rank-prefix');
    expect(found.map((exception) => [exception.rank, exception.type, exception.frames.at(-1)?.line])).toEqual([
      [0, 'RuntimeError', 44],
      [1, 'KeyError', 39],
    ]);
  });

  it('reads a trace without frames', () => {
    expect(read('no-frames')).toMatchObject([{ type: 'ModuleNotFoundError', message: "No module named 'click_data'", frames: [] }]);
  });

  it('reads the members of an exception group', () => {
    const found = read('exception-group');
    expect(found.map((exception) => [exception.type, exception.message, exception.frames.at(-1)?.line])).toEqual([
      ['ExceptionGroup', 'shards failed (2 sub-exceptions)', 9],
      ['KeyError', "'missing'", 3],
      ['ValueError', 'bad shard 1', 2],
    ]);
  });

  it('keeps the order of causes', () => {
    const last = read('chained-twice')[0];
    expect([last?.type, last?.causeKind, last?.cause?.type, last?.cause?.causeKind, last?.cause?.cause?.type]).toEqual([
      'ValueError',
      'context',
      'RuntimeError',
      'cause',
      'KeyError',
    ]);
  });

  it('keeps notes apart from the message', () => {
    expect(read('note')[0]).toMatchObject({ message: 'loss is negative', notes: ['while training step 12', 'Batch: 3'] });
  });

  it('names the rank of a spawned process', () => {
    expect(rootException(read('spawn-raised')[0]!).rank).toBe(1);
  });

  it('keeps the whole of a message of several lines', () => {
    expect(read('cuda-lines')[0]?.message.split('\n')).toHaveLength(4);
    expect(read('weights-only')[0]?.message).toContain('(2) Alternatively');
  });

  it('tells the program from the launcher that reports its end', () => {
    expect(read('child-failed').map((exception) => exception.type.split('.').at(-1))).toEqual(['IndexError', 'ChildFailedError']);
  });

  it('keeps the code lines of frames', () => {
    expect(read('plain')[0]?.frames.map((frame) => frame.code)).toEqual(['main()', 'loss = step(batch)', 'return pick(batch)[3]']);
    expect(read('ipython-new')[0]?.frames.at(-1)?.code).toBe('raise ValueError("row of 4 columns")');
  });

  it.each([
    'File "train.py" is where it ends, line 3 of it.',
    'Traceback (most recent call last):\nand then nothing',
    '  File "a.py", line 1, in f\n  File "a.py", line 2, in g\n',
  ])('makes no exception out of %j', (text) => {
    expect(readTracebacks(readLines(text), 100).exceptions).toEqual([]);
  });
});
