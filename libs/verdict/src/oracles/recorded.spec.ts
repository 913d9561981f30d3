import { isUnbound, type EvidenceRecord, type Frame } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence, frame, observedFacet, SCRIPT_PID } from '../testing/index.js';
import { isCheckable } from '../verification/live-facets.js';
import { evaluateOracle } from './evaluate-oracle.js';

const state = (oracle: Oracle, records: EvidenceRecord[], options = {}) =>
  evaluateOracle(oracle, createEvidenceView(records), options).state;
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };

describe('output', () => {
  const oracle: Oracle = { kind: 'output', pattern: 'saved, mean loss', flags: '', stream: 'any', atLeast: 1 };

  it('is shown within one stream of one process', () => {
    expect(state(oracle, createEvidence().stdout('saved, mean loss 0.1').exit(0).build())).toBe('shown');
    expect(state({ ...oracle, rank: 1 }, createEvidence().stdout('saved, mean loss', { rank: 1, pid: 21 }).exit(0).build())).toBe('shown');
    expect(state({ ...oracle, atLeast: 2 }, createEvidence().stdout('saved, mean loss').stdout('saved, mean loss').exit(0).build())).toBe(
      'shown',
    );
    expect(
      state({ ...oracle, notFollowedBy: 'resumed' }, createEvidence().stdout('resumed').stdout('saved, mean loss').exit(0).build()),
    ).toBe('shown');
    expect(state({ ...oracle, pattern: 'a\\nb' }, createEvidence().stdout('a').stdout('b').exit(0).build())).toBe('shown');
    expect(state({ ...oracle, pattern: 'error', atLeast: 0, atMost: 0 }, createEvidence().stdout('fine').exit(0).build())).toBe('shown');
  });

  it('is absent elsewhere, too seldom, too often, or followed', () => {
    expect(state({ ...oracle, stream: 'stderr' }, createEvidence().stdout('saved, mean loss').exit(0).build())).toBe('absent');
    expect(
      state(
        { ...oracle, atLeast: 2 },
        createEvidence().stdout('saved, mean loss', { pid: 20 }).stdout('saved, mean loss', { pid: 21 }).exit(0).build(),
      ),
    ).toBe('absent');
    expect(state({ ...oracle, atMost: 1 }, createEvidence().stdout('saved, mean loss').stdout('saved, mean loss').exit(0).build())).toBe(
      'absent',
    );
    expect(
      state({ ...oracle, notFollowedBy: 'resumed' }, createEvidence().stdout('saved, mean loss').stdout('resumed').exit(0).build()),
    ).toBe('absent');
    expect(state({ ...oracle, pattern: 'a\\nb' }, createEvidence().stdout('a').stderr('b').exit(0).build())).toBe('absent');
  });

  it('is a collision after another failure and open after a limit', () => {
    expect(
      state(
        oracle,
        createEvidence()
          .exception({ frames: [frame('subject', 'a.py', 'f')] })
          .exit(1)
          .build(),
      ),
    ).toBe('collision');
    expect(state(oracle, createEvidence().stdout('x').exit(null, cut).build())).toBe('undecided');
    expect(state({ ...oracle, notFollowedBy: 'resumed' }, createEvidence().stdout('saved, mean loss').exit(null, cut).build())).toBe(
      'undecided',
    );
  });
});

describe('warning', () => {
  const oracle: Oracle = { kind: 'warning', category: 'UserWarning', pattern: 'lr_scheduler\\.step' };
  const given = { category: 'builtins.UserWarning', message: 'Detected call of `lr_scheduler.step()` before' };

  it('is shown by category, text and file', () => {
    expect(state(oracle, createEvidence().warning(given).exit(0).build())).toBe('shown');
    expect(state({ kind: 'warning', category: 'UserWarning', file: 'x/train.py' }, createEvidence().warning(given).exit(0).build())).toBe(
      'shown',
    );
    expect(
      state(
        { kind: 'warning', pattern: 'before' },
        createEvidence()
          .warning({ ...given, frame: frame('script', 'repro.py', '<module>', 'train()') })
          .exit(0)
          .build(),
      ),
    ).toBe('shown');
  });

  it('needs a control where it points at no line of the subject', () => {
    const needs = (place: Frame['place'], options = {}) => {
      const records = createEvidence()
        .warning({ ...given, frame: frame(place ?? 'script', 'x.py', 'f', 'train()') })
        .exit(0)
        .build();
      return evaluateOracle(oracle, createEvidenceView(records), options).needsControl !== undefined;
    };
    expect(needs('subject')).toBe(false);
    expect(needs('script')).toBe(true);
    expect(needs('dependency')).toBe(true);
    expect(needs('dependency', { subjectIsLibrary: true })).toBe(false);
    expect(needs('script', { subjectIsLibrary: true })).toBe(true);
  });

  it('is not shown by another one, by text, or by the script itself', () => {
    expect(
      state(
        oracle,
        createEvidence()
          .warning({ ...given, category: 'FutureWarning' })
          .exit(0)
          .build(),
      ),
    ).toBe('absent');
    expect(
      state(
        oracle,
        createEvidence()
          .warning({ ...given, message: 'else' })
          .exit(0)
          .build(),
      ),
    ).toBe('absent');
    expect(state(oracle, createEvidence().process(SCRIPT_PID).stderr('UserWarning: lr_scheduler.step').exit(0).build())).toBe('absent');
    expect(
      state(
        oracle,
        createEvidence()
          .warning({ ...given, frame: frame('script', 'repro.py', '<module>', 'warnings.warn(text)') })
          .exit(0)
          .build(),
      ),
    ).toBe('collision');
    expect(state(oracle, createEvidence().stderr('UserWarning: lr_scheduler.step').exit(0).build())).toBe('undecided');
    expect(state({ kind: 'warning' }, createEvidence().warning(given).exit(0).build())).toBe('undecided');
  });
});

describe("a script's own assertion", () => {
  const failing = (type: string): EvidenceRecord[] =>
    createEvidence()
      .exception({ type, message: 'acc is 3.0', frames: [frame('script', 'repro.py', '<module>')], raisedIn: 'script' })
      .exit(1)
      .build();
  const oracle: Oracle = { kind: 'output', pattern: 'accuracy 3', flags: '', stream: 'any', atLeast: 1 };

  it('is what the script thinks of a value, and no other failure', () => {
    expect(state(oracle, failing('builtins.AssertionError'))).toBe('undecided');
    expect(state(oracle, failing('builtins.NameError'))).toBe('collision');
  });
});

describe('exit', () => {
  it('is shown by code, by signal, and by what a shell makes of it', () => {
    expect(state({ kind: 'exit', op: '==', code: 3 }, createEvidence().exit(3).build())).toBe('shown');
    expect(state({ kind: 'exit', op: '!=', code: 0 }, createEvidence().exit(1).build())).toBe('shown');
    expect(state({ kind: 'exit', op: '==', signal: 'SIGSEGV' }, createEvidence().exit(null, { signal: 'SIGSEGV' }).build())).toBe('shown');
    expect(state({ kind: 'exit', op: '==', signal: 'SIGFPE' }, createEvidence().exit(136).build())).toBe('shown');
    expect(state({ kind: 'exit', op: '==', code: 0 }, createEvidence().exit(1, { step: 0 }).exit(0, { step: 1 }).build())).toBe('shown');
  });

  it('is not shown by another end, a limit, the script itself or a tripwire', () => {
    expect(state({ kind: 'exit', op: '==', code: 3 }, createEvidence().exit(0).build())).toBe('absent');
    expect(state({ kind: 'exit', op: '!=', code: 0 }, createEvidence().exit(0).build())).toBe('absent');
    expect(state({ kind: 'exit', op: '==', signal: 'SIGKILL' }, createEvidence().exit(null, cut).build())).toBe('undecided');
    const byScript = createEvidence()
      .exception({ frames: [frame('script', 'repro.py', '<module>')], raisedIn: 'script' })
      .exit(1)
      .build();
    expect(state({ kind: 'exit', op: '==', code: 1 }, byScript)).toBe('collision');
    const wrapping = (place: 'subject' | 'script'): EvidenceRecord[] =>
      createEvidence()
        .exception({
          frames: [frame('script', 'repro.py', '<module>')],
          raisedIn: 'script',
          causes: [{ type: 'builtins.ValueError', message: '', link: 'cause', frames: [frame(place, 'a.py', 'f')] }],
        })
        .exit(1)
        .build();
    expect(state({ kind: 'exit', op: '==', code: 1 }, wrapping('script'))).toBe('collision');
    expect(state({ kind: 'exit', op: '==', code: 1 }, wrapping('subject'))).toBe('shown');
    const tripped = createEvidence()
      .exception({ message: 'reenact-tripwire-s1', frames: [frame('subject', 'a.py', 'f')] })
      .exit(1)
      .build();
    expect(state({ kind: 'exit', op: '==', code: 1 }, tripped, { sentinel: 's1' })).toBe('collision');
    expect(state({ kind: 'exit', op: '==' }, createEvidence().exit(0).build())).toBe('undecided');
  });
});

describe('import', () => {
  const oracle: Oracle = { kind: 'import', types: [], message: "cannot import name 'container_abcs' from 'torch._six'" };
  const raised = {
    type: 'builtins.ImportError',
    message: "cannot import name 'container_abcs' from 'torch._six' (/env/torch/_six.py)",
    frames: [
      frame('script', 'repro.py', '<module>', 'import data'),
      frame('subject', 'data.py', '<module>', 'from torch._six import container_abcs'),
    ],
  };

  it('is shown by the claimed error at an import', () => {
    expect(state(oracle, createEvidence().exception(raised).exit(1).build())).toBe('shown');
    const byScript = {
      ...raised,
      frames: [frame('script', 'repro.py', '<module>', 'from torch._six import container_abcs')],
      raisedIn: 'script' as const,
    };
    expect(state(oracle, createEvidence().exception(byScript).exit(1).build())).toBe('shown');
    const attribute: Oracle = { kind: 'import', types: ['AttributeError'], message: "module 'numpy' has no attribute 'bool'" };
    const alias = {
      type: 'builtins.AttributeError',
      message: "module 'numpy' has no attribute 'bool'.",
      frames: [frame('script', 'repro.py', '<module>', 'import data'), frame('subject', 'data.py', '<module>', 'KIND = np.bool')],
    };
    expect(state(attribute, createEvidence().exception(alias).exit(1).build())).toBe('shown');
  });

  it('is not shown by another module, a raise of the script, or any missing package', () => {
    expect(
      state(
        oracle,
        createEvidence()
          .exception({ ...raised, message: "cannot import name 'string_classes' from 'torch._six'" })
          .exit(1)
          .build(),
      ),
    ).toBe('collision');
    expect(
      state(
        oracle,
        createEvidence()
          .exception({ ...raised, frames: [frame('script', 'repro.py', '<module>', 'raise ImportError(text)')], raisedIn: 'script' })
          .exit(1)
          .build(),
      ),
    ).toBe('collision');
    expect(state(oracle, createEvidence().exit(0).build())).toBe('absent');
    expect(state({ kind: 'import', types: [] }, createEvidence().exception(raised).exit(1).build())).toBe('undecided');
  });
});

describe('hang', () => {
  const oracle: Oracle = { kind: 'hang', silentSeconds: 20 };
  const main = frame('subject', 'train.py', '<module>');
  const barrier = [
    main,
    frame('subject', 'train.py', 'worker'),
    frame('dependency', '/env/site-packages/torch/distributed/distributed_c10d.py', 'barrier'),
  ];
  const spawned = [
    frame('script', 'repro.py', '<module>'),
    frame('dependency', '/env/site-packages/torch/multiprocessing/spawn.py', 'join'),
    frame('standard-library', 'selectors.py', 'select'),
  ];
  const hung = (stacks: Record<number, Frame[][]>, parents: [number, number][] = [], silentSeconds = 20) => {
    const evidence = createEvidence().process(SCRIPT_PID);
    for (const [pid, parent] of parents) evidence.process(pid, parent);
    for (const [pid, threads] of Object.entries(stacks)) evidence.stack(Number(pid), threads);
    const blocked = Object.entries(stacks).map(([pid, threads]) => ({
      pid: Number(pid),
      signature: 'same',
      at: threads[0]?.at(-1) ?? null,
    }));
    return evidence
      .stall({ silentSeconds, blocked, elsewhere: [{ pid: 99, state: 'ended' }] })
      .exit(null, { signal: 'SIGKILL', endedBy: 'hang' })
      .build();
  };

  it('is shown below the subject, also behind a launcher', () => {
    expect(state(oracle, hung({ 10: [barrier] }))).toBe('shown');
    expect(state(oracle, hung({ 10: [spawned], 20: [barrier] }, [[20, 10]]))).toBe('shown');
    const watched = [frame('script', 'repro.py', '<module>'), frame('script', 'repro.py', 'watch')];
    expect(state(oracle, hung({ 10: [watched], 20: [barrier] }, [[20, 10]]))).toBe('shown');
    const threaded = [[frame('script', 'repro.py', '<module>'), frame('standard-library', 'threading.py', 'join')], barrier];
    expect(state(oracle, hung({ 10: threaded }))).toBe('shown');
  });

  it('is shown by a parent of the subject whose child stands in no code of its own', () => {
    const joins = [main, frame('standard-library', '/usr/lib/python3/multiprocessing/process.py', 'join')];
    const atExit = [
      frame('other', '<string>', '<module>'),
      frame('standard-library', '/usr/lib/python3/multiprocessing/util.py', '_exit_function'),
    ];
    expect(state(oracle, hung({ 10: [joins], 20: [atExit] }, [[20, 10]]))).toBe('shown');
  });

  it("is shown in another form by a collective's own time-out", () => {
    const timeout = { type: 'builtins.RuntimeError', message: 'Timed out waiting 40000ms for recv operation to complete', frames: barrier };
    expect(state(oracle, createEvidence().exception(timeout).exit(1).build())).toBe('shown');
  });

  it("is a collision in the script's own sleep", () => {
    const sleeps = [frame('script', 'repro.py', '<module>'), frame('script', 'repro.py', 'main')];
    expect(state(oracle, hung({ 10: [sleeps] }))).toBe('collision');
    expect(state(oracle, hung({ 10: [sleeps] }, [[20, 10]]))).toBe('collision');
    expect(state(oracle, hung({ 10: [spawned], 20: [sleeps] }, [[20, 10]]))).toBe('collision');
    const waits = [
      frame('script', 'repro.py', '<module>'),
      frame('dependency', '/env/site-packages/torch/distributed/distributed_c10d.py', 'barrier'),
    ];
    expect(state(oracle, hung({ 10: [waits] }))).toBe('collision');
  });

  it('is a collision after another line or another failure', () => {
    expect(state({ ...oracle, lastLine: 'epoch done' }, hung({ 10: [barrier] }))).toBe('collision');
    const timeout = {
      type: 'subprocess.TimeoutExpired',
      message: 'timed out after 5 seconds',
      frames: [frame('script', 'repro.py', '<module>')],
      raisedIn: 'standard-library' as const,
    };
    expect(state(oracle, createEvidence().exception(timeout).exit(1).build())).toBe('collision');
  });

  it('is open without a stall, with a short one, and absent after an end', () => {
    expect(state(oracle, createEvidence().exit(null, cut).build())).toBe('undecided');
    expect(state(oracle, createEvidence().exit(null, { signal: 'SIGKILL', endedBy: 'hang' }).build())).toBe('undecided');
    expect(state(oracle, hung({ 10: [barrier] }, [], 8))).toBe('undecided');
    expect(state(oracle, createEvidence().exit(0).build())).toBe('absent');
  });
});

describe('symptoms that nothing binds to evidence', () => {
  it.each(['trend', 'nondeterminism', 'slow', 'distribution', 'differential', 'roundtrip', 'desync', 'memory_peak', 'file', 'build'])(
    'are undecided, never wrong: %s',
    (kind) => {
      const unbound = Oracle.parse({ kind, note: 'needs a name' });
      const evidence = createEvidence().obs({ loss: 1 }).stdout('loss 2').exit(0).build();
      expect(state(unbound, evidence)).toBe('undecided');
      expect(evaluateOracle(unbound, createEvidenceView(evidence)).note).toContain('needs a name');
      expect(isUnbound(unbound)).toBe(true);
      expect(isCheckable(observedFacet([unbound]))).toBe(false);
    },
  );
});
