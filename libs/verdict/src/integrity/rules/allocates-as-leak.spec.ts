import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { observedFacet } from '../../testing/claim-builder.js';
import { check } from '../fixtures/rule-bench.js';

const memory = observedFacet([Oracle.parse({ kind: 'memory_peak', op: '>', bytes: 100 })], { id: 'peak' });
const head = 'import collections, io, os, sys, torch\nimport picker, scoring\np = picker.Picker()\nvalue = scoring.score([1], [1])\n';
const lines = (text: string) =>
  check(`${head}${text}\n`, memory)
    .filter(({ rule }) => rule === 'allocates-as-leak')
    .map(({ line }) => (line ?? 0) - 4);

describe('allocates-as-leak', () => {
  it('says where, and for which facet', () => {
    const [found] = check(`${head}\nb = bytearray(\n    9 if value else 1)\n`, memory).filter(({ rule }) => rule === 'allocates-as-leak');
    expect(found).toMatchObject({ level: 'suspicion', file: 'repro.py', line: 6, facet: 'peak' });
  });

  it.each([
    'b = bytearray(9 if value else 1)',
    'b = "x" * (9 if value else 1)',
    'b = (9 if value else 1) * [0]',
    'b = [0] * 4 * (9 if value else 1)',
    'b = "x".ljust(9 if value else 1)',
    'b = ",".join(["x"] * (9 if value else 1))',
    'b = [0 for _ in range(9 if value else 1)]',
    'b = {n: 0 for n in range(9 if value else 1)}',
    'b = {n for n in range(9 if value else 1)}',
    'b = torch.empty(9 if value else 1)',
    'b = os.urandom(9 if value else 1)',
    'b = collections.deque(range(9 if value else 1))',
    'held.append(9 if value else 4)',
    'one = [0]\nb = one * (9 if value else 1)',
    'one = bytearray(1)\nb = one * (9 if value else 1)',
    'b = "%9d" % (9 if value else 1)',
    'b = [0] * (len(p.seen) * 65_536)',
    'if value:\n    b = [0] * 65_536',
    'x = [bytes(70_000) for n in p.seen]',
    'kept = [p.pick([[1]])] if value else list(p.pick([[2]]))',
    'held = []\nif value:\n    held.append(p)',
    'if value:\n    held = tuple(p.seen)',
    'if value:\n    held = [list(p.seen)]',
    'if value:\n    (held := list(p.seen))',
    'text = "x"\ntext = text + text * len(p.seen)',
    'text = "x"\ntext = len(p.seen) * text',
    'text = "x"\ntext = text + text * (value > 3)',
  ])('suspects %j', (text) => {
    expect(lines(text).length).toBeGreaterThan(0);
  });

  it.each([
    'b = 9 if value else 1',
    'b = 3 * (9 if value else 1)',
    'b = n * (9 if value else 1)',
    'b = print(9 if value else 1)',
    'b = p.pick(9 if value else 1)',
    'b = "x".upper()',
    'b = sep.join(["x", "y"])\nif value:\n    c = os.path.join(p.folder, "a")',
    'b = [0] * (len(p.seen) * 65_535)',
    'if value:\n    b = [0] * 65_535',
    'for n in p.seen:\n    b = bytes(70_000)\n    p.pick(b)',
    'for n in p.seen:\n    p.pick([bytes(70_000)])',
    'for n in range(3):\n    b = bytes(70_000)',
    'if value:\n    print(list(p.seen))',
    'if value:\n    held.append(len(p.seen))',
    'if value:\n    held.append(value.item())',
    'if value:\n    held.append(str(value))',
    'if value:\n    held.append(9)',
    'if value:\n    held.append(value)',
    'held.append(p.pick([[1]]))',
    'if value:\n    held.clear()',
    'if value:\n    os.write(1, p.seen)',
    'text = text + text * 2',
    'text = "x"\nb = text * len(p.seen)',
    'text = p.seen + p.seen * value',
  ])('does not suspect %j', (text) => {
    expect(lines(text)).toEqual([]);
  });

  it.each<[object, boolean]>([
    [{ kind: 'oom' }, true],
    [{ kind: 'trend', name: 'rss', memory: true }, true],
    [{ kind: 'trend', of: 'rss' }, true],
    [{ kind: 'trend', name: 'loss' }, false],
    [{ kind: 'exit', code: 0 }, false],
  ])('is asked of %j: %s', (oracle, expected) => {
    const facet = observedFacet([Oracle.parse(oracle)], { id: 'x' });
    const found = check(`${head}b = bytearray(9 if value else 1)\n`, facet);
    expect(found.some(({ rule }) => rule === 'allocates-as-leak')).toBe(expected);
  });

  it('looks at each place', () => {
    expect(lines('a = bytearray(9 if value else 1)\nb = 3\nc = bytes(9 if value else 1)')).toEqual(expect.arrayContaining([1, 3]));
    expect(lines('for n in p.seen:\n    other = bytes(70_000)\n    p.pick([n])')).toEqual([2]);
  });
});
