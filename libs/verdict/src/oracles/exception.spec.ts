import type { EvidenceRecord, Oracle } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence, exceptionOracle, frame, SCRIPT_PID } from '../testing/index.js';
import { evaluateOracle } from './evaluate-oracle.js';

const scriptFrame = frame('script', 'repro.py', '<module>', 'train()');
const subjectFrame = frame('subject', 'nets/cell.py', 'generate', 'return symbol, self.rnn(torch.cat([x, code], dim=1))');
const torchFrame = frame('dependency', '/env/site-packages/torch/functional.py', 'cat', 'return _C.cat(tensors, dim)');
const stack = [scriptFrame, frame('subject', 'main.py', 'sample', 'cell.generate(hidden)'), subjectFrame];
const message = 'Dimension out of range (expected to be in range of [-1, 0], but got 1)';
const raised = { type: 'builtins.IndexError', bases: ['LookupError', 'Exception'], message, frames: stack };
const claim = exceptionOracle({ types: ['IndexError'], message: { text: message, match: 'signature' } });

const state = (oracle: Oracle, records: EvidenceRecord[], options = {}) =>
  evaluateOracle(oracle, createEvidenceView(records), options).state;
const note = (oracle: Oracle, records: EvidenceRecord[]) => evaluateOracle(oracle, createEvidenceView(records)).note ?? '';
const failing = (extra: Parameters<ReturnType<typeof createEvidence>['exception']>[0]) =>
  createEvidence().process(SCRIPT_PID).exception(extra).exit(1).build();

describe('exception, shown', () => {
  it('with type, message and a claimed frame', () => {
    const oracle = exceptionOracle({
      types: ['IndexError'],
      message: { text: message, match: 'signature' },
      frames: [{ file: '/home/ann/proj/nets/cell.py', function: 'generate' }],
    });
    const answer = evaluateOracle(oracle, createEvidenceView(failing(raised)));
    expect(answer.state).toBe('shown');
    expect(answer.grounding).toEqual([{ seq: 3, text: `IndexError: ${message} at nets/cell.py:generate` }]);
  });

  it('by type and message alone only beside a control, unless it came while the subject was imported', () => {
    const weakness = (oracle: Oracle, frames = stack) =>
      evaluateOracle(oracle, createEvidenceView(failing({ ...raised, frames }))).needsControl ?? null;
    expect(weakness(claim)).toBe('the claim names no call on the way to the failure');
    expect(weakness(claim, [scriptFrame, frame('subject', 'main.py', '<module>', 'import nets'), subjectFrame])).toBeNull();
    expect(weakness(exceptionOracle({ types: ['IndexError'], through: ['generate'] }))).toBeNull();
    expect(weakness(exceptionOracle({ types: ['IndexError'], frames: [{ file: 'nets/cell.py', function: 'generate' }] }))).toBeNull();
  });

  it('raised in a dependency below the subject', () => {
    expect(state(claim, failing({ ...raised, frames: [...stack, torchFrame], raisedIn: 'dependency' }))).toBe('shown');
  });

  it('raised in what a library made from a text, below the subject', () => {
    const internals = frame('other', '<__array_function__ internals>', 'concatenate');
    expect(state(claim, failing({ ...raised, frames: [...stack, internals], raisedIn: 'other' }))).toBe('shown');
    const generated = frame('other', '<decorator-gen-12>', 'cat');
    expect(state(claim, failing({ ...raised, frames: [...stack, generated, torchFrame], raisedIn: 'dependency' }))).toBe('shown');
  });

  it('never by a callback that the script made from a text or wrote to a scratch folder', () => {
    for (const file of ['<string>', '<key>', '/tmp/made.py']) {
      const answer = evaluateOracle(
        claim,
        createEvidenceView(failing({ ...raised, frames: [...stack, frame('other', file, 'key')], raisedIn: 'other' })),
      );
      expect(answer.state).toBe('collision');
    }
  });

  it('by a named supertype', () => {
    const oracle = exceptionOracle({ types: ['RuntimeError'], message: { text: 'CUDA out of memory', match: 'contains' } });
    expect(
      state(
        oracle,
        failing({
          ...raised,
          type: 'torch.OutOfMemoryError',
          bases: ['RuntimeError', 'Exception'],
          message: 'CUDA out of memory. Tried to allocate 20 GiB',
        }),
      ),
    ).toBe('shown');
  });

  it('in a child, and counted once when the launcher passes it on', () => {
    const child = { ...raised, pid: 20, rank: 1, how: 'child' as const };
    const records = createEvidence()
      .process(SCRIPT_PID)
      .process(20, SCRIPT_PID)
      .exception(child)
      .exception({
        type: 'torch.multiprocessing.spawn.ProcessRaisedException',
        message: `-- Process 1 terminated\nTraceback (most recent call last):\n  File "/work/subject/main.py", line 3, in sample\n    x\nIndexError: ${message}`,
        frames: [scriptFrame],
        raisedIn: 'dependency',
      })
      .exit(1)
      .build();
    const answer = evaluateOracle(claim, createEvidenceView(records));
    expect(answer.state).toBe('shown');
    expect(answer.grounding).toHaveLength(1);
  });

  it('in a captured child of a script that ends well', () => {
    const records = createEvidence()
      .process(SCRIPT_PID)
      .process(20, SCRIPT_PID)
      .exception({ ...raised, pid: 20 })
      .exit(0)
      .build();
    expect(state(claim, records)).toBe('shown');
  });

  it('as the cause of what the script raised again', () => {
    const records = failing({
      type: 'builtins.RuntimeError',
      message: 'it failed',
      frames: [scriptFrame],
      raisedIn: 'script',
      causes: [{ type: 'builtins.IndexError', message, frames: stack, link: 'cause' }],
    });
    expect(state(claim, records)).toBe('shown');
  });

  it('by content words and the function that it went through', () => {
    const oracle = exceptionOracle({
      types: ['TypeError'],
      message: { text: 'an object that cannot be pickled', match: 'keywords' },
      through: ['torch.save'],
    });
    const frames = [
      scriptFrame,
      frame('subject', 'store.py', 'save'),
      frame('dependency', '/env/site-packages/torch/serialization.py', 'save'),
    ];
    expect(state(oracle, failing({ type: 'builtins.TypeError', message: "cannot pickle 'WeakRef' object", frames }))).toBe('shown');
  });
});

describe('exception, collision', () => {
  it('raised by the script itself, whatever its text', () => {
    const records = failing({ ...raised, frames: [frame('script', 'repro.py', '<module>', 'raise IndexError(text)')], raisedIn: 'script' });
    expect(state(claim, records)).toBe('collision');
    expect(note(claim, records)).toContain('raised by the script itself');
  });

  it('raised by a callback of the script that the subject calls', () => {
    const records = failing({
      ...raised,
      frames: [...stack, frame('script', 'repro.py', 'loss', 'raise IndexError(text)')],
      raisedIn: 'script',
    });
    expect(state(claim, records)).toBe('collision');
  });

  it('raised in a dependency that only the script called', () => {
    expect(state(claim, failing({ ...raised, frames: [scriptFrame, torchFrame], raisedIn: 'dependency' }))).toBe('collision');
  });

  it('of the same type with another message', () => {
    const records = failing({ ...raised, message: 'list index out of range' });
    expect(state(claim, records)).toBe('collision');
    expect(note(claim, records)).toContain('IndexError: list index out of range');
  });

  it('with another rank in the message', () => {
    expect(state(claim, failing({ ...raised, message: message.replace('[-1, 0]', '[-2, 1]') }))).toBe('collision');
  });

  it('of another type with the same message', () => {
    expect(state(claim, failing({ ...raised, type: 'builtins.ValueError', bases: ['Exception'] }))).toBe('collision');
  });

  it('at another place than the claimed frames', () => {
    const oracle = exceptionOracle({ types: ['IndexError'], frames: [{ file: 'loss.py', function: 'loss' }] });
    expect(state(oracle, failing(raised))).toBe('collision');
  });

  it('when a peer only follows another root', () => {
    const oracle = exceptionOracle({ types: ['RuntimeError'], message: { text: 'Connection closed by peer', match: 'contains' } });
    const records = createEvidence()
      .exception({ type: 'builtins.KeyError', message: "'x'", frames: stack, pid: 20, rank: 0, how: 'child' })
      .exception({
        type: 'builtins.RuntimeError',
        message: 'Connection closed by peer [127.0.0.1]:3000',
        frames: stack,
        pid: 21,
        rank: 1,
        how: 'child',
      })
      .exit(1)
      .build();
    expect(state(oracle, records)).toBe('collision');
    expect(note(oracle, records)).toContain('KeyError');
  });

  it('when a signal ended it', () => {
    expect(state(claim, createEvidence().exit(null, { signal: 'SIGSEGV' }).build())).toBe('collision');
  });

  it('with the sentinel of a tripwire in its chain', () => {
    const oracle = exceptionOracle({ types: ['RuntimeError'] });
    const records = failing({ type: 'builtins.RuntimeError', message: 'reenact-tripwire-s1', frames: stack });
    expect(state(oracle, records, { sentinel: 's1' })).toBe('collision');
  });
});

describe('exception, absent or undecided', () => {
  it('absent when the trial came to its end', () => {
    expect(state(claim, createEvidence().process(SCRIPT_PID).stdout('done').exit(0).build())).toBe('absent');
  });

  it('absent when the text was printed and nothing raised it', () => {
    const records = createEvidence()
      .process(SCRIPT_PID)
      .stderr('Traceback (most recent call last):')
      .stderr('  File "/work/subject/cell.py", line 3, in generate')
      .stderr(`IndexError: ${message}`)
      .exit(0)
      .build();
    expect(state(claim, records)).toBe('absent');
  });

  it('a collision when the text was printed and the script ended with 1', () => {
    const records = createEvidence()
      .process(SCRIPT_PID)
      .stderr('Traceback (most recent call last):')
      .stderr('  File "/work/subject/cell.py", line 3, in generate')
      .stderr(`IndexError: ${message}`)
      .exit(1)
      .build();
    expect(state(claim, records)).toBe('collision');
    expect(note(claim, records)).toContain('printed');
  });

  it('undecided when only text tells and no probe ran', () => {
    const records = createEvidence()
      .stderr('Traceback (most recent call last):')
      .stderr('  File "/work/subject/cell.py", line 3, in generate')
      .stderr(`IndexError: ${message}`)
      .exit(1)
      .build();
    expect(state(claim, records)).toBe('undecided');
  });

  it('void when the exit status contradicts the probe', () => {
    const records = createEvidence().process(SCRIPT_PID).exception(raised).stderr(`IndexError: ${message}`).exit(0).build();
    expect(state(claim, records)).toBe('absent');
    expect(note(claim, records)).toContain('contradicts');
  });

  it('undecided when a limit ended it, or when the claim asks for nothing', () => {
    expect(state(claim, createEvidence().exit(null, { signal: 'SIGKILL', endedBy: 'wall-limit' }).build())).toBe('undecided');
    expect(state(exceptionOracle({}), failing(raised))).toBe('undecided');
    expect(state(exceptionOracle({ types: ['Exception'] }), failing(raised))).toBe('undecided');
  });
});

describe('an end below Python as an exception', () => {
  const frames = [frame('subject', 'nets/cell.py', 'step')];
  const threw = (what: string) =>
    createEvidence()
      .stderr("terminate called after throwing an instance of 'c10::Error'")
      .stderr(`  what():  ${what}`)
      .crash('Aborted', frames)
      .exit(null, { signal: 'SIGABRT' })
      .build();

  it('has the type of the C++ exception and its words', () => {
    const claim = exceptionOracle({ types: ['c10::Error'], message: { text: 'storage of 3 elements is gone', match: 'signature' } });
    expect(state(claim, threw('storage of 12 elements is gone'))).toBe('shown');
    expect(state(claim, threw('the index is negative'))).toBe('collision');
    expect(note(claim, threw('the index is negative'))).toContain(
      'ended by SIGABRT: c10::Error: the index is negative at nets/cell.py:step',
    );
  });

  it('is a fatal error of the interpreter', () => {
    const claim = exceptionOracle({ types: ['Fatal Python error'], message: { text: 'deallocating None', match: 'signature' } });
    const fatal = (reason: string) =>
      createEvidence()
        .modules('nets/cell.py')
        .stderr(`Fatal Python error: none_dealloc: ${reason}`)
        .stderr('Current thread 0x00007f02 (most recent call first):')
        .stderr('  File "/work/subject/nets/cell.py", line 5 in step')
        .exit(null, { signal: 'SIGABRT' })
        .build();
    expect(state(claim, fatal('deallocating None'))).toBe('shown');
    expect(state(claim, fatal('deallocating True'))).toBe('collision');
  });

  it('is the root of the peers that lost their connection, though it is recorded after them', () => {
    const peer = { type: 'builtins.RuntimeError', message: 'Connection closed by peer', rank: 0, pid: 20, frames };
    const records = createEvidence()
      .exception(peer)
      .exit(1, { pid: 20, rank: 0 })
      .exit(null, { pid: 21, rank: 1, signal: 'SIGSEGV' })
      .build();
    const claim = exceptionOracle({ types: ['RuntimeError'], message: { text: 'Connection closed by peer', match: 'contains' } });
    expect(state(claim, records)).toBe('collision');
    expect(note(claim, records)).toContain('ended by SIGSEGV');
  });

  it('names types of other versions as one', () => {
    const io = exceptionOracle({ types: ['IOError'], message: { text: 'disk is full', match: 'signature' } });
    const failed = (type: string) =>
      createEvidence()
        .exception({ type, bases: ['Exception'], message: 'disk is full', frames })
        .exit(1)
        .build();
    expect(state(io, failed('builtins.OSError'))).toBe('shown');
    expect(state(io, failed('builtins.ValueError'))).toBe('collision');
  });
});
