import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarizeEvidence } from './evidence-summary.js';
import { bringsNothingNew, emptyMemory, Memory, rememberAttempt, rememberHypotheses, wasTried } from './memory.js';
import type { AttemptOutcome } from './memory.js';

function outcome(attempt: number, parts: Partial<AttemptOutcome> & { error?: string; line?: string } = {}): AttemptOutcome {
  const { error, line, ...rest } = parts;
  const exceptions = error === undefined ? [] : [{ type: 'ValueError', message: error, raisedIn: 'script', frames: [] }];
  const evidence = { ...summarizeEvidence([]), exceptions, stdoutTail: line === undefined ? [] : [line], exitCode: 1 };
  return {
    context: 1,
    attempt,
    candidateId: `c${attempt}`,
    origin: 'generated',
    result: 'absent',
    facetStates: { f: 'absent' },
    findings: [],
    evidence,
    idea: `idea ${attempt}`,
    ...rest,
  };
}

function after(...outcomes: AttemptOutcome[]): Memory {
  return outcomes.reduce(rememberAttempt, emptyMemory());
}

describe('rememberAttempt', () => {
  it('stops after three attempts in a row that bring nothing new', () => {
    const first = after(outcome(1, { error: 'size 3' }), outcome(2, { error: 'size 4' }), outcome(3, { error: 'size 5' }));
    expect(bringsNothingNew(first)).toBe(false);
    expect(bringsNothingNew(rememberAttempt(first, outcome(4, { error: 'size 6' })))).toBe(true);
  });

  it.each([
    ['another error', { error: 'another thing' }],
    ['another facet state', { error: 'size 3', facetStates: { f: 'undecided' } }],
    ['another observation', { evidence: { ...summarizeEvidence([]), observations: [{ acc: 0.5 }] } }],
    ['a finding', { error: 'size 3', findings: ['raises-itself'] }],
  ])('starts to count anew after %s', (_name, parts) => {
    const memory = after(
      outcome(1, { error: 'size 3' }),
      outcome(2, { error: 'size 3' }),
      outcome(3, { error: 'size 3' }),
      outcome(4, parts),
    );
    expect(memory.staleAttempts).toBe(0);
  });

  it('keeps failed ideas once each, and not those that worked', () => {
    const memory = after(
      outcome(1, { idea: 'Use alpha 0.2' }),
      outcome(2, { idea: 'use alpha 0.2!' }),
      outcome(3, { idea: 'good', facetStates: { f: 'shown' } }),
    );
    expect(memory.failedIdeas).toEqual(['Use alpha 0.2']);
  });

  it('does not count what the platform spoiled', () => {
    expect(after(outcome(1, { result: 'infra' }))).toEqual(emptyMemory());
  });

  it('takes an attempt that comes twice only once', () => {
    expect(after(outcome(1), outcome(1)).attempts).toHaveLength(1);
  });

  it('knows which candidates were tried, in whatever context', () => {
    const memory = after(outcome(1), outcome(1, { context: 2, candidateId: 'other' }));
    expect([wasTried(memory, 'c1'), wasTried(memory, 'other'), wasTried(memory, 'c2')]).toEqual([true, true, false]);
  });

  it('stays small, valid and unshared, whatever comes', () => {
    const text = fc.string({ maxLength: 50 });
    const any = fc.record({ attempt: fc.nat(60), error: text, line: text, idea: text });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (list) => {
        const start = Object.freeze(emptyMemory());
        const memory = list.reduce<Memory>((so, { attempt, ...parts }) => rememberAttempt(so, outcome(attempt, parts)), start);
        expect(Memory.parse(memory)).toEqual(memory);
        expect(memory.failedIdeas.length).toBeLessThanOrEqual(30);
        expect(memory.observed.length).toBeLessThanOrEqual(40);
        expect(start).toEqual(emptyMemory());
      }),
    );
  });
});

describe('rememberHypotheses', () => {
  it('updates a status and never reopens what was refuted', () => {
    const one = rememberHypotheses(emptyMemory(), [{ text: 'The loader drops rows.', status: 'open', note: '' }]);
    const two = rememberHypotheses(one, [{ text: 'the loader drops rows', status: 'refuted', note: 'all 10 rows seen' }]);
    const three = rememberHypotheses(two, [{ text: 'The loader drops rows', status: 'open', note: '' }]);
    expect(three.hypotheses).toEqual([{ text: 'The loader drops rows.', status: 'refuted', note: 'all 10 rows seen' }]);
  });

  it('forgets open ones before refuted ones', () => {
    const refuted = rememberHypotheses(emptyMemory(), [{ text: 'first', status: 'refuted', note: '' }]);
    const many = rememberHypotheses(
      refuted,
      Array.from({ length: 20 }, (_, n) => ({ text: `other ${n}`, status: 'open' as const, note: '' })),
    );
    expect(many.hypotheses).toHaveLength(12);
    expect(many.hypotheses[0]!.text).toBe('first');
  });
});
