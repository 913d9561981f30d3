import { describe, expect, it } from 'vitest';
import type { Oracle } from '@reenact/domain';
import { groundOracles } from './ground-oracles.js';
import { plainReport } from './testing/index.js';

const report = plainReport(
  'The accuracy is 2.45, over 200 per cent. It should have a variance near 0.18. A KeyError says "unknown label x". dtype float16, SIGSEGV. It takes 2 GB.',
);
const obs = (name: string, take: 'last' | 'distinct' = 'last') => ({ obs: name, take });

const arms = { note: '', name: 'seconds', armField: 'arm', slowArm: 'new', fastArm: 'old', sizeCost: 'linear' as const };
const trend = {
  note: '',
  of: 'value' as const,
  name: 'loss',
  direction: 'does-not-fall' as const,
  memory: false,
  warmUpShare: 0.1,
  boundShare: 0.1,
};
const differential = { note: '', candidate: 'gpu', reference: 'cpu', referee: 'double', lowPrecision: false, tolerance: 1e-4 };

const kept: [string, Oracle][] = [
  ['a logical bound', { kind: 'relation', left: obs('acc'), op: '>', right: 1 }],
  ['a number of the report', { kind: 'relation', left: obs('var'), op: '<', right: 0.18 }],
  ['a percentage as a fraction', { kind: 'relation', left: obs('acc'), op: '>', right: 2 }],
  ['two observations', { kind: 'relation', left: obs('a'), op: '!=', right: obs('b') }],
  ['several values', { kind: 'relation', left: obs('order', 'distinct'), op: '>=', right: 2 }],
  [
    'a claimed type and message',
    { kind: 'exception', types: ['builtins.KeyError'], message: { text: 'unknown label', match: 'contains' }, frames: [], through: [] },
  ],
  ['a number that the project prints', { kind: 'printed', pattern: 'acc ([0-9.]+)', flags: 'i', take: 'max', op: '>', right: 1 }],
  ['a failing exit', { kind: 'exit', op: '!=', code: 0 }],
  ['a signal of the report', { kind: 'exit', op: '==', signal: 'SIGSEGV' }],
  ['a size of the report', { kind: 'memory_peak', note: '', op: '>', bytes: 2 * 1024 ** 3 }],
  ['want of memory', { kind: 'oom', note: '' }],
  ['the least slowdown', { kind: 'slow', ...arms, atLeastRatio: 1.14 }],
  ['a series', { kind: 'trend', ...trend }],
  ['arms with a referee', { kind: 'differential', ...differential }],
  ['a type of the report', { kind: 'shape', obs: 'x', dtype: 'float16' }],
];

const dropped: [string, Oracle][] = [
  ['a made-up number', { kind: 'relation', left: obs('acc'), op: '>', right: 0.77 }],
  ['no observation', { kind: 'relation', left: 1, op: '==', right: 1 }],
  ['a tolerance that lets all through', { kind: 'relation', left: obs('a'), op: 'approx', right: 1, relative: 5 }],
  ['a made-up type', { kind: 'exception', types: ['IndexError'], frames: [], through: [] }],
  ['a made-up message', { kind: 'exception', types: [], message: { text: 'cannot allocate', match: 'contains' }, frames: [], through: [] }],
  ['any exception', { kind: 'exception', types: [], frames: [], through: [] }],
  ['made-up words', { kind: 'output', pattern: 'finished training', flags: '', stream: 'any', atLeast: 1 }],
  ['a pattern that may run away', { kind: 'output', pattern: '(a+)+label', flags: '', stream: 'any', atLeast: 1 }],
  ['a pattern that does not compile', { kind: 'printed', pattern: '(', flags: 'i', take: 'last', op: '>', right: 1 }],
  ['any warning', { kind: 'warning' }],
  ['a made-up exit code', { kind: 'exit', op: '==', code: 77 }],
  ['a check that names no observation', { kind: 'desync', note: '', absolute: 0, relative: 0 }],
  ['a kind whose evidence is not made yet', { kind: 'build', note: '' }],
  ['a made-up size', { kind: 'memory_peak', note: '', op: '>', bytes: 5_000_000_000 }],
  ['a made-up slowdown', { kind: 'slow', ...arms, atLeastRatio: 1.01 }],
  ['a bound that calls a fall none', { kind: 'trend', ...trend, boundShare: 0.4 }],
  ['a tolerance below that of floating point', { kind: 'differential', ...differential, tolerance: 0 }],
];

describe('groundOracles', () => {
  it.each(kept)('keeps %s', (_name, oracle) => {
    expect(groundOracles([oracle], report)).toEqual({ kept: [oracle], dropped: [] });
  });

  it.each(dropped)('drops %s', (_name, oracle) => {
    const { kept: none, dropped: notes } = groundOracles([oracle], report);
    expect(none).toEqual([]);
    expect(notes).toHaveLength(1);
  });

  it('never lets a hang count before twenty seconds', () => {
    expect(groundOracles([{ kind: 'hang', silentSeconds: 1 }], report).kept).toEqual([{ kind: 'hang', silentSeconds: 20 }]);
  });
});
