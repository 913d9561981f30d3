import type { EvidenceOf } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame, SCRIPT_PID } from '../testing/index.js';

const claim = { kind: 'hang', silentSeconds: 20 };
const subject = frame('subject', 'train.py', 'worker');
const script = frame('script', 'repro.py', '<module>');
const library = frame('standard-library', '/usr/lib/python3/multiprocessing/process.py', 'join');
const byLimit = { signal: 'SIGKILL', endedBy: 'hang' as const };

const blockedAt = (pid: number, at: EvidenceOf<'stall'>['blocked'][number]['at']) => ({ pid, signature: 'same', at });
const stalled = (extra: Partial<EvidenceOf<'stall'>>) =>
  createEvidence()
    .stall({ blocked: [blockedAt(SCRIPT_PID, subject)], ...extra })
    .exit(null, byLimit)
    .build();

describe('a hang', () => {
  it('lasts as long as the claim asks for, or longer', () => {
    expect(ask(claim, stalled({ silentSeconds: 20 })).state).toBe('shown');
    expect(ask(claim, stalled({ silentSeconds: 21 })).state).toBe('shown');
    expect(ask(claim, stalled({ silentSeconds: 19.9 }))).toMatchObject({
      state: 'undecided',
      note: 'silent for 19.9 s, the claim asks for 20',
      grounding: [{ seq: 2 }],
    });
  });

  it('says who stands where, and what the others did', () => {
    const noPeers = ask(claim, stalled({}));
    expect(noPeers.note).toBeUndefined();
    expect(noPeers.grounding).toMatchObject([{ text: 'silent for 20 s: process 10 at train.py:worker' }]);
    const ranked = stalled({
      blocked: [{ ...blockedAt(SCRIPT_PID, { ...subject, function: undefined }), rank: 0 }],
      elsewhere: [
        { pid: 21, rank: 1, state: 'ended' },
        { pid: 22, state: 'running' },
      ],
    });
    expect(ask(claim, ranked)).toMatchObject({
      state: 'shown',
      note: 'meanwhile rank 1 ended, process 22 running',
      grounding: [{ text: 'silent for 20 s: rank 0 at train.py' }],
    });
  });

  it('goes by the last stall', () => {
    const records = createEvidence()
      .stall({ silentSeconds: 5, blocked: [blockedAt(SCRIPT_PID, script)] })
      .stall({ blocked: [blockedAt(SCRIPT_PID, subject)] })
      .exit(null, byLimit)
      .build();
    expect(ask(claim, records)).toMatchObject({ state: 'shown', grounding: [{ seq: 3 }] });
  });

  it('is open where no stack tells the place', () => {
    expect(ask(claim, stalled({ blocked: [] })).state).toBe('undecided');
    expect(ask(claim, stalled({ blocked: [blockedAt(SCRIPT_PID, null)] }))).toMatchObject({
      state: 'undecided',
      note: 'no stack tells where the silent processes are blocked',
    });
    expect(ask(claim, stalled({ blocked: [blockedAt(SCRIPT_PID, script)] }))).toMatchObject({
      state: 'collision',
      grounding: [{ text: 'process 10 at repro.py:<module>' }],
    });
  });

  it('is shown although another process waits in the script', () => {
    expect(ask(claim, stalled({ blocked: [blockedAt(SCRIPT_PID, script), blockedAt(20, subject)] })).state).toBe('shown');
  });
});

describe('a launcher', () => {
  const waiting = (own: typeof subject, child: EvidenceOf<'stall'>['blocked'][number]['at'], more: [number, typeof subject][] = []) => {
    const evidence = createEvidence()
      .process(SCRIPT_PID)
      .process(20, SCRIPT_PID)
      .stack(SCRIPT_PID, [[own, library]]);
    return evidence
      .stall({ blocked: [blockedAt(SCRIPT_PID, library), blockedAt(20, child), ...more.map(([pid, at]) => blockedAt(pid, at))] })
      .exit(null, byLimit)
      .build();
  };

  it('of the subject is stuck where its child is in no code of its own', () => {
    expect(ask(claim, waiting(subject, library))).toMatchObject({
      state: 'shown',
      grounding: [{ text: expect.stringMatching(/^silent for 20 s: process 10 at [^,]*$/) as string }],
    });
  });

  it('of the script is not, nor one whose child cannot be seen or is in the script', () => {
    expect(ask(claim, waiting(script, library)).state).toBe('undecided');
    expect(ask(claim, waiting(subject, null)).state).toBe('undecided');
    expect(ask(claim, waiting(subject, script)).state).toBe('collision');
    expect(ask(claim, waiting(subject, library, [[30, script]])).state).toBe('collision');
  });

  it('is not the stuck one where a child stands in the subject', () => {
    expect(ask(claim, waiting(subject, subject)).grounding).toMatchObject([{ text: 'silent for 20 s: process 20 at train.py:worker' }]);
  });
});

describe('the last line of a hang', () => {
  const after = (lastLine: string, printed: string[]) => {
    const evidence = createEvidence();
    for (const line of printed) evidence.stdout(line);
    return ask(
      { ...claim, lastLine },
      evidence
        .stall({ blocked: [blockedAt(SCRIPT_PID, subject)] })
        .exit(null, byLimit)
        .build(),
    ).state;
  };
  const others = (count: number) => Array.from({ length: count }, () => 'other words');

  it('may be followed by seven more, and no eight', () => {
    expect(after('epoch done', ['epoch done'])).toBe('shown');
    expect(after('epoch done', ['rank one: epoch done', ...others(7)])).toBe('shown');
    expect(after('epoch done', ['epoch done', ...others(8)])).toBe('collision');
  });

  it('is asked for only where it has words', () => {
    expect(after('  ', ['x'])).toBe('shown');
    expect(after('epoch done', [])).toBe('collision');
  });
});

describe('without a stall', () => {
  const raised = (message: string, place: 'subject' | 'script' = 'subject', extra: Partial<EvidenceOf<'exception'>> = {}) =>
    createEvidence()
      .exception({ type: 'builtins.RuntimeError', message, frames: [frame(place, 'train.py', 'worker')], raisedIn: place, ...extra })
      .exit(1)
      .build();

  it.each([
    'Timed out waiting 40000ms for recv operation to complete',
    'all_reduce time out',
    'AllGather timeout',
    'barrier timed-out',
    'Watchdog caught collective operation timeout',
  ])('is shown by %j below the subject', (message) => {
    expect(ask(claim, raised(message))).toMatchObject({ state: 'shown', note: 'seen as the time-out of a collective' });
    expect(ask(claim, raised(message, 'script')).state).toBe('collision');
  });

  it.each(['request timed out', 'barrier broken', 'resend timed out for sender', 'sometimes out of the broadcast'])(
    'is another failure by %j',
    (message) => {
      expect(ask(claim, raised(message)).state).toBe('collision');
    },
  );

  it('is absent after an end by itself, and open where a limit ended the trial', () => {
    expect(ask(claim, createEvidence().exit(0).exit(3).build())).toMatchObject({
      state: 'absent',
      grounding: [{ text: 'ended by itself, exit status 0' }],
    });
    expect(ask(claim, createEvidence().exit(null, byLimit).build())).toMatchObject({
      state: 'undecided',
      note: 'the trial was ended as hung, and no stall was recorded',
    });
    expect(ask(claim, createEvidence().exit(null, { signal: 'SIGKILL', endedBy: 'wall-limit' }).build()).state).toBe('undecided');
  });
});
