import type { EvidenceRecord, Frame } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidence } from '../../testing/evidence-builder.js';
import { at, check, confirm } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';

const head = 'import asyncio, select, signal, threading, time, learn\nlearn.learn(1)\n';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'sleeps-as-hang');

describe('sleeps-as-hang suspects', () => {
  it.each([
    'time.sleep(10)\n',
    'time.sleep(1e3)\n',
    'time.sleep(n)\n',
    'input()\n',
    'signal.pause()\n',
    'select.select([], [], [])\n',
    'threading.Event().wait()\n',
    'while True:\n    pass\n',
    'while 1:\n    time.sleep(1)\n',
  ])('%j', (text) => {
    expect(own(check(head + text, FACETS.hang))).toMatchObject([{ level: 'suspicion', file: 'repro.py', line: 3, facet: 'hang' }]);
    expect(own(check(head + text, FACETS.accuracy))).toEqual([]);
  });

  it('and says where it begins and ends', () => {
    expect(own(check(`${head}while True:\n    pass\n`, FACETS.hang))[0]?.detail).toEqual({ startLine: 3, endLine: 4 });
    expect(own(check(`${head}time.sleep(\n    99\n)\n`, FACETS.hang))[0]?.detail).toEqual({ startLine: 3, endLine: 5 });
  });

  it.each([
    'time.sleep(9)\n',
    'time.sleep(9.9)\n',
    'while True:\n    learn.learn(1)\n',
    'while n < 3:\n    n += 1\n',
    'if learn.learn(1):\n    time.sleep(60)\n',
    'time.sleep(learn.ROUNDS)\n',
  ])('not %j', (text) => {
    expect(own(check(head + text, FACETS.hang))).toEqual([]);
  });
});

describe('sleeps-as-hang in the trials', () => {
  const text = `${head}time.sleep(\n    600\n)\nprint(learn.ROUNDS)\n`;
  const stalled = (frame: Frame, others: Frame[] = []): EvidenceRecord[] =>
    createEvidence()
      .modules('learn.py')
      .stack(10, [[frame, ...others]])
      .stall({ silentSeconds: 30, blocked: [{ pid: 10, signature: 's', at: frame }] })
      .exit(null, { signal: 'SIGKILL', endedBy: 'hang' })
      .build();
  const told = (candidate: EvidenceRecord[]) => own(confirm(text, FACETS.hang, { candidate }));

  it.each([
    [2, 'refuted'],
    [3, 'finding'],
    [5, 'finding'],
    [6, 'refuted'],
  ])('a block on line %i is answered by %s', (line, level) => {
    expect(told(stalled(at('script', '/x/repro.py', line)))[0]?.level).toBe(level);
  });

  it('is refuted where the block is elsewhere', () => {
    expect(told(stalled(at('subject', 'learn.py', 3, 'learn')))[0]?.level).toBe('refuted');
    expect(told(stalled(at('script', 'repro.py', 3), [at('subject', 'learn.py', 3)]))[0]?.level).toBe('refuted');
    expect(told(stalled(at('script', 'other.py', 3)))[0]?.level).toBe('refuted');
    expect(told(stalled(at('dependency', 'repro.py', 3)))[0]?.level).toBe('refuted');
    expect(told(createEvidence().modules('learn.py').exit(0).build())[0]?.evidence).toContain('not shown');
  });
});
