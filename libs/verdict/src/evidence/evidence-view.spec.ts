import { describe, expect, it } from 'vitest';
import { createEvidence, frame, SCRIPT_PID } from '../testing/index.js';
import { createEvidenceView } from './evidence-view.js';
import { failureOf } from './failure.js';

const stack = [frame('subject', 'train.py', 'train')];

describe('createEvidenceView', () => {
  it('keeps the streams of processes, ranks and channels apart', () => {
    const records = createEvidence()
      .stdout('a', { rank: 0 })
      .stdout('b', { rank: 1 })
      .stderr('c', { rank: 0 })
      .stdout('d', { rank: 0 })
      .build();
    const streams = createEvidenceView(records).streams.map((stream) => stream.lines.map(({ line }) => line).join(''));
    expect(streams).toEqual(['ad', 'b', 'c']);
  });

  it('voids what the exit status contradicts, and only that', () => {
    const exception = { frames: stack, type: 'builtins.ValueError' };
    const uncaught = createEvidenceView(createEvidence().exception(exception).exit(0).build());
    expect([uncaught.exceptions.length, uncaught.voidExceptions.length]).toEqual([0, 1]);
    const inThread = createEvidenceView(
      createEvidence()
        .exception({ ...exception, how: 'thread' })
        .exit(0)
        .build(),
    );
    expect(inThread.exceptions).toHaveLength(1);
    const inChild = createEvidenceView(
      createEvidence()
        .exception({ ...exception, pid: 77 })
        .exit(0)
        .build(),
    );
    expect(inChild.exceptions).toHaveLength(1);
    const failed = createEvidenceView(createEvidence().exception(exception).exit(1).build());
    expect(failed.exceptions).toHaveLength(1);
  });

  it('sees through the helpers of multiprocessing', () => {
    const records = createEvidence()
      .process(SCRIPT_PID)
      .process(20, SCRIPT_PID, ['python', '-c', 'from multiprocessing.forkserver import main'])
      .process(21, 20)
      .build();
    expect([...createEvidenceView(records).parents]).toEqual([
      [SCRIPT_PID, 1],
      [21, SCRIPT_PID],
    ]);
  });

  it('collects the subject files that any record names', () => {
    const records = createEvidence()
      .modules('a.py')
      .exception({ frames: stack })
      .stack(10, [[frame('subject', 'b.py', 'f')]])
      .build();
    expect([...createEvidenceView(records).subjectFiles].toSorted()).toEqual(['a.py', 'b.py', 'train.py']);
  });
});

describe('failureOf', () => {
  const signature = (records: ReturnType<ReturnType<typeof createEvidence>['build']>) =>
    failureOf(createEvidenceView(records))?.signature ?? null;

  it('is the earliest root, not its consequences', () => {
    const records = createEvidence()
      .exception({ type: 'builtins.RuntimeError', message: 'Connection closed by peer', pid: 20, how: 'child', frames: stack })
      .exception({ type: 'builtins.KeyError', message: "'x'", pid: 21, how: 'child', frames: stack })
      .exception({ type: 'torch.multiprocessing.spawn.ProcessRaisedException', message: 'x', frames: [] })
      .exit(1)
      .build();
    expect(signature(records)).toBe("KeyError: 'x' at train.py:train");
  });

  it.each([
    ['torch.distributed.elastic.multiprocessing.api.SignalException', 'Process 4711 got signal: 15'],
    ['builtins.RuntimeError', '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)'],
    ['builtins.RuntimeError', 'Socket Timeout'],
  ])('is not %s: %s before another root', (type, message) => {
    const records = createEvidence()
      .exception({ type, message, pid: 20, how: 'child', frames: stack })
      .exception({ type: 'builtins.KeyError', message: "'x'", pid: 21, how: 'child', frames: stack })
      .exit(1)
      .build();
    expect(signature(records)).toBe("KeyError: 'x' at train.py:train");
  });

  it('is an end of file that is too early, whatever fails after it', () => {
    const records = createEvidence()
      .exception({ type: 'builtins.EOFError', message: 'Ran out of input', pid: 20, how: 'child', frames: stack })
      .exception({ type: 'builtins.KeyError', message: "'x'", pid: 21, how: 'child', frames: stack })
      .exit(1)
      .build();
    expect(signature(records)).toBe('EOFError: Ran out of input at train.py:train');
  });

  it('is nothing for a caught error of a trial that ended well, and for an interrupt', () => {
    expect(signature(createEvidence().exception({ how: 'reported', frames: stack }).exit(0).build())).toBeNull();
    expect(signature(createEvidence().exception({ type: 'builtins.KeyboardInterrupt', frames: stack }).exit(1).build())).toBeNull();
    expect(signature(createEvidence().exit(3).build())).toBeNull();
  });

  it('is a signal, or a printed traceback of a trial that ended in error', () => {
    expect(signature(createEvidence().exit(null, { signal: 'SIGBUS' }).build())).toBe('ended by SIGBUS');
    const printed = createEvidence()
      .stderr('Traceback (most recent call last):')
      .stderr('  File "a.py", line 1, in f')
      .stderr('ValueError: x');
    expect(signature(printed.exit(1).build())).toBe('ValueError: x at a.py:f (text only)');
  });
});
