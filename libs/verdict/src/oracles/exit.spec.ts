import type { EvidenceOf } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const asked = (claim: object, code: number | null, extra: Partial<EvidenceOf<'exit'>> = {}) =>
  ask({ kind: 'exit', ...claim }, createEvidence().exit(code, extra).build());
const state = (claim: object, code: number | null, extra: Partial<EvidenceOf<'exit'>> = {}) => asked(claim, code, extra).state;

describe('an end by a signal', () => {
  it('is named with or without SIG, in any case', () => {
    for (const signal of ['SIGSEGV', 'SEGV', 'sigsegv']) expect(state({ signal }, null, { signal: 'SIGSEGV' })).toBe('shown');
    expect(state({ signal: 'SIGSEGV' }, null, { signal: 'SIGABRT' })).toBe('absent');
  });

  it.each([
    ['ILL', 4],
    ['TRAP', 5],
    ['ABRT', 6],
    ['BUS', 7],
    ['FPE', 8],
    ['KILL', 9],
    ['SEGV', 11],
    ['PIPE', 13],
    ['TERM', 15],
  ])('SIG%s is also the status that a shell and Python make of %i', (name, number) => {
    const signal = `SIG${name}`;
    expect(state({ signal }, 128 + number)).toBe('shown');
    expect(state({ signal }, number)).toBe('absent');
    expect(state({ code: 128 + number }, null, { signal })).toBe('shown');
    expect(state({ code: -number }, null, { signal })).toBe('shown');
    expect(state({ code: number }, null, { signal })).toBe('absent');
  });

  it('of an unknown name is no status', () => {
    expect(state({ signal: 'SIGWINCH' }, 156)).toBe('absent');
    expect(state({ code: 156 }, null, { signal: 'SIGWINCH' })).toBe('absent');
  });

  it('is asked for beside the status', () => {
    expect(state({ code: 139, signal: 'SIGSEGV' }, 139)).toBe('shown');
    expect(state({ code: 1, signal: 'SIGSEGV' }, 139)).toBe('absent');
    expect(state({ code: 139, signal: 'SIGABRT' }, 139)).toBe('absent');
  });
});

describe('an end by a status', () => {
  it('is another one where the claim says so', () => {
    expect(state({ op: '!=', code: 2 }, 1)).toBe('shown');
    expect(state({ op: '!=', code: 2 }, 2)).toBe('absent');
    expect(state({ op: '!=', code: 0 }, null, { signal: 'SIGSEGV' })).toBe('shown');
  });

  it('may be that of one of several processes', () => {
    const records = createEvidence().exit(0, { rank: 0 }).exit(3, { rank: 1 }).exit(4, { rank: 2 }).build();
    expect(ask({ kind: 'exit', code: 3 }, records)).toMatchObject({ state: 'shown', grounding: [{ seq: 3, text: 'exit status 3' }] });
    expect(ask({ kind: 'exit', code: 9 }, records).grounding).toHaveLength(2);
  });

  it('is told as it was', () => {
    expect(asked({ code: 1 }, null, { signal: 'SIGABRT' }).grounding).toMatchObject([{ text: 'ended by SIGABRT' }]);
    expect(asked({ code: 1 }, null).grounding).toMatchObject([{ text: 'exit status unknown' }]);
  });

  it('is not that of a failure of the script, but for the status of success', () => {
    const records = (code: number, raisedIn: 'script' | 'subject') =>
      createEvidence()
        .exception({ raisedIn, frames: [frame(raisedIn, 'a.py', 'f')] })
        .exit(code)
        .build();
    expect(ask({ kind: 'exit', code: 1 }, records(1, 'script')).state).toBe('collision');
    expect(ask({ kind: 'exit', code: 1 }, records(1, 'subject')).state).toBe('shown');
    expect(ask({ kind: 'exit', code: 0 }, records(0, 'script')).state).toBe('shown');
  });

  it('is open without an end', () => {
    expect(ask({ kind: 'exit', code: 0 }, createEvidence().build())).toMatchObject({
      state: 'undecided',
      note: 'the evidence names no process that ended',
    });
  });
});
