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

describe('an end below Python', () => {
  const inSubject = [frame('subject', 'train.py', 'main'), frame('subject', 'nets/cell.py', 'step')];
  const claimed = { kind: 'exit', signal: 'SIGABRT', message: 'free(): invalid pointer' };
  const aborted = (words: string, frames = inSubject) =>
    createEvidence().stderr(words).crash('Aborted', frames).exit(null, { signal: 'SIGABRT' }).build();

  it('is shown with the words that glibc has for the fault, and told with them and its place', () => {
    expect(ask(claimed, aborted('free(): invalid pointer'))).toMatchObject({
      state: 'shown',
      grounding: [{ text: 'ended by SIGABRT: free(): invalid pointer at nets/cell.py:step' }],
    });
    expect(ask(claimed, aborted('munmap_chunk(): invalid pointer')).state).toBe('shown');
  });

  it.each(['double free or corruption (!prev)', 'corrupted size vs. prev_size', 'F0000 00:00:1.5 3 a.cc:3] Check failed: x'])(
    'of other words is another failure: %s',
    (words) => {
      expect(ask(claimed, aborted(words))).toMatchObject({
        state: 'collision',
        note: expect.stringContaining('another native failure came instead: ended by SIGABRT: ') as string,
      });
    },
  );

  it('is open where neither words nor frames came, and where the status alone tells', () => {
    const silent = createEvidence().exit(null, { signal: 'SIGABRT' }).build();
    expect(ask(claimed, silent).state).toBe('undecided');
    expect(ask(claimed, createEvidence().exit(134).build()).state).toBe('undecided');
    expect(ask({ kind: 'exit', signal: 'SIGABRT' }, silent).state).toBe('shown');
  });

  it('has the claimed frames, or is another failure', () => {
    const at = (name: string) => ({ kind: 'exit', signal: 'SIGSEGV', frames: [{ file: '/home/ada/nets/cell.py', function: name }] });
    const records = createEvidence().crash('Segmentation fault', inSubject).exit(null, { signal: 'SIGSEGV' }).build();
    expect(ask(at('step'), records).state).toBe('shown');
    expect(ask(at('decode'), records).state).toBe('collision');
    const elsewhere = createEvidence().crash('Segmentation fault', []).exit(null, { signal: 'SIGSEGV' }).build();
    expect(ask(at('step'), elsewhere).state).toBe('undecided');
  });

  it('of the script itself is another failure, but for a library, whose C code has no frame', () => {
    const records = createEvidence()
      .crash('Segmentation fault', [frame('script', 'repro.py', 'poke')])
      .exit(null, { signal: 'SIGSEGV' })
      .build();
    expect(ask({ kind: 'exit', signal: 'SIGSEGV' }, records)).toMatchObject({
      state: 'collision',
      note: 'raised by the script itself: ended by SIGSEGV at repro.py:poke',
    });
    expect(ask({ kind: 'exit', signal: 'SIGSEGV' }, records, { subjectIsLibrary: true }).state).toBe('shown');
  });

  it('of a child is shown by its dump in the subject, whatever status the script has', () => {
    const child = (frames: typeof inSubject, code = 0) =>
      createEvidence().process(77, 10).crash('Segmentation fault', frames, { pid: 77 }).exit(code).build();
    const oracle = { kind: 'exit', signal: 'segv' };
    expect(ask(oracle, child(inSubject))).toMatchObject({ state: 'shown', note: 'in a process that the script started' });
    expect(ask(oracle, child(inSubject, 139)).state).toBe('shown');
    expect(ask(oracle, child([])).state).toBe('undecided');
    expect(ask(oracle, child([frame('script', 'repro.py', 'poke')])).state).toBe('collision');
    expect(ask({ kind: 'exit', signal: 'SIGBUS' }, child(inSubject)).state).toBe('absent');
  });

  it('of a peer that was ended after another one failed is not the end of the program', () => {
    const records = createEvidence().exit(3, { rank: 1 }).exit(null, { rank: 0, signal: 'SIGKILL', endedBy: 'peer' }).build();
    expect(ask({ kind: 'exit', signal: 'SIGKILL' }, records).state).toBe('absent');
    expect(ask({ kind: 'exit', code: 3 }, records).state).toBe('shown');
  });
});
