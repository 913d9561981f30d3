import { describe, expect, it } from 'vitest';
import type { EvidenceRecord, Frame } from '@reenact/domain';
import { exceptionOracle, observedFacet } from '../testing/claim-builder.js';
import { createEvidence } from '../testing/evidence-builder.js';
import { at, check, codes, confirm, crash } from './fixtures/rule-bench.js';
import { FACETS } from './fixtures/subject.js';

describe('sleeps-as-hang', () => {
  const stalled = (frame: Frame): EvidenceRecord[] =>
    createEvidence()
      .modules('learn.py')
      .stack(10, [[frame]])
      .stall({ silentSeconds: 30, blocked: [{ pid: 10, signature: 's', at: frame }] })
      .exit(null, { signal: 'SIGKILL', endedBy: 'hang' })
      .build();
  const sleeping = 'import time\nimport learn\nlearn.learn(1)\ntime.sleep(600)\n';

  it('catches a script that sleeps, loops or waits by itself', () => {
    expect(codes(check(sleeping, FACETS.hang))).toEqual(['sleeps-as-hang']);
    expect(codes(check('import learn\nlearn.learn(1)\nwhile True:\n    pass\n', FACETS.hang))).toEqual(['sleeps-as-hang']);
    const findings = confirm(sleeping, FACETS.hang, { candidate: stalled(at('script', 'repro.py', 4, '<module>')) });
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'sleeps-as-hang', level: 'finding', line: 4 }));
  });

  it('lets a watcher be, and refutes where the subject is what blocks', () => {
    expect(
      codes(
        check(
          'import subprocess, time\np = subprocess.Popen(["python", "learn.py"])\nwhile p.poll() is None:\n    time.sleep(30)\n',
          FACETS.hang,
        ),
      ),
    ).toEqual([]);
    expect(codes(check('import time, learn\nlearn.learn(1)\ntime.sleep(0.2)\n', FACETS.hang))).toEqual([]);
    const findings = confirm(sleeping, FACETS.hang, { candidate: stalled(at('subject', 'learn.py', 12, 'learn')) });
    expect(findings.map((finding) => finding.level)).toEqual(['refuted']);
  });
});

describe('raises-itself', () => {
  const raising =
    'from picker import running\ntry:\n    running([[1]])\nexcept IndexError as error:\n    raise IndexError(str(error)) from error\n';

  it('lets an exception be that has the subject below it', () => {
    const below = crash([at('script', 'repro.py', 3, '<module>'), at('subject', 'picker.py', 14, 'pick')], 'subject');
    expect(codes(confirm('from picker import running\nrunning([[1]])\n', FACETS.crash, { candidate: below }), 'finding')).toEqual([]);
  });

  it('asks for a control where the script raises what it caught', () => {
    const own = crash([at('script', 'repro.py', 5, '<module>')], 'script').map((record) =>
      record.kind === 'exception'
        ? {
            ...record,
            causes: [
              {
                type: 'builtins.IndexError',
                message: 'list index out of range',
                link: 'cause' as const,
                frames: [at('subject', 'picker.py', 14, 'pick')],
              },
            ],
          }
        : record,
    );
    expect(confirm(raising, FACETS.crash, { candidate: own }).map((finding) => finding.level)).toEqual(['suspicion']);
    const fine = createEvidence().modules('picker.py').exit(0).build();
    expect(confirm(raising, FACETS.crash, { candidate: own, fixed: fine }).map((finding) => finding.level)).toEqual(['refuted']);
  });

  it('says nothing about frames whose place is not known', () => {
    const read = crash([{ file: 'x.py', line: 3, function: 'f' }], 'subject');
    expect(codes(confirm('import picker\npicker.running([[1]])\n', FACETS.crash, { candidate: read }), 'finding')).toEqual([]);
  });

  it('does not mistake other exceptions, or asserts where none is claimed', () => {
    expect(
      codes(check('import picker\nif picker.running([[1], [2]]) is None:\n    raise ValueError("no")\nassert picker.LIMIT == 4\n')),
    ).toEqual([]);
    const claimed = observedFacet([exceptionOracle({ types: ['AssertionError'] })]);
    expect(check('import picker\nassert False\npicker.running([[1]])\n', claimed)[0]).toMatchObject({
      rule: 'raises-itself',
      detail: { guarded: false },
    });
    expect(check('import picker\nassert picker.running([[1], [2]]) == 1\n', claimed)[0]).toMatchObject({
      rule: 'raises-itself',
      detail: { guarded: true },
    });
  });
});

describe('forges-evidence', () => {
  it('refuses a new exception that carries the frames of another, not one that is handed on with its own', () => {
    const raised = crash([at('script', 'repro.py', 5, '<module>'), at('subject', 'picker.py', 14, 'pick')], 'subject');
    const text = (error: string): string =>
      `import picker\ntry:\n    picker.running([["a", 1]])\nexcept Exception as error:\n    raise ${error}.with_traceback(error.__traceback__)\n`;
    const tripwire = createEvidence().exit(1).build();
    const refused = (error: string): string[] =>
      codes(confirm(text(error), FACETS.crash, { candidate: raised, fixed: tripwire }), 'finding').filter(
        (code) => code === 'forges-evidence',
      );
    expect(refused('IndexError("list " + "index out of range")')).toEqual(['forges-evidence']);
    expect(codes(check(text('error')))).toEqual(['forges-evidence']);
  });

  it('finds a frame that the snapshot cannot have', () => {
    const text = 'import picker\npicker.running([[1]])\n';
    const frames = (line: number, name: string): EvidenceRecord[] =>
      crash([at('script', 'repro.py', 2, '<module>'), at('subject', 'picker.py', line, name)], 'subject');
    expect(codes(confirm(text, FACETS.crash, { candidate: frames(14, 'pick') }), 'finding')).toEqual([]);
    expect(codes(confirm(text, FACETS.crash, { candidate: frames(14, 'made_up') }), 'finding')).toEqual(['forges-evidence']);
    expect(codes(confirm(text, FACETS.crash, { candidate: frames(900, 'pick') }), 'finding')).toEqual(['forges-evidence']);
  });
});

describe('unreadable-script', () => {
  it('is a finding where the script shows a signal, and nothing else', () => {
    const deep = `import learn\nx = ${'1+'.repeat(20_000)}1\nprint("OBS acc=4.0")\n`;
    expect(codes(check(deep, FACETS.accuracy))).toEqual(['unreadable-script']);
    const shown = createEvidence().modules('learn.py').obs({ acc: 4 }).exit(0).build();
    expect(confirm(deep, FACETS.accuracy, { candidate: shown }).map((finding) => finding.level)).toEqual(['finding']);
    const silent = createEvidence().modules('learn.py').obs({ acc: 1 }).exit(0).build();
    expect(confirm(deep, FACETS.accuracy, { candidate: silent }).map((finding) => finding.level)).toEqual(['refuted']);
  });
});

describe('exits-by-hand', () => {
  it('suspects a signal that the script sends itself', () => {
    const facet = observedFacet([{ kind: 'exit', op: '==', signal: 'SIGSEGV' }]);
    expect(codes(check('import os, signal, learn\nlearn.learn(1)\nos.kill(os.getpid(), signal.SIGSEGV)\n', facet))).toEqual([
      'exits-by-hand',
    ]);
    expect(codes(check('import ctypes, learn\nlearn.learn(1)\nctypes.string_at(0)\n', facet))).toEqual(['exits-by-hand']);
    expect(
      codes(
        check(
          'import os, signal, subprocess\nchild = subprocess.Popen(["python", "learn.py"])\nos.kill(child.pid, signal.SIGSEGV)\n',
          facet,
        ),
      ),
    ).toEqual([]);
  });

  it('is refuted where an exception ended the process', () => {
    const text = 'import sys, learn\nlearn.learn(1)\nsys.exit(3)\n';
    const ended = createEvidence().modules('learn.py').exception({ how: 'uncaught' }).exit(3).build();
    expect(confirm(text, FACETS.status, { candidate: ended }).map((finding) => finding.level)).toEqual(['refuted']);
  });
});

describe('forges-evidence', () => {
  it('refuses a script that writes records of its own', () => {
    const records = [
      ...crash([at('script', 'repro.py', 2), at('subject', 'picker.py', 14, 'pick')], 'subject'),
      ...createEvidence().notice('probe-folder', '10-ab.jsonl by script:repro.py:3 in <module>').build(),
    ];
    expect(codes(confirm('import picker\npicker.running([[1]])\n', FACETS.crash, { candidate: records }), 'finding')).toContain(
      'forges-evidence',
    );
  });
});

describe('raises-itself', () => {
  it('has nothing against a pool whose parent raises again what the worker raised', () => {
    const text =
      'import multiprocessing as mp\nimport picker\ndef work(n):\n    return picker.running([[n]])\nif __name__ == "__main__":\n    with mp.Pool(2) as pool:\n        print(pool.map(work, [1, 2]))\n';
    const raised = { type: 'builtins.IndexError', message: 'list index out of range' };
    const records = createEvidence()
      .process(10)
      .process(11, 10)
      .modules('picker.py')
      .exception({
        ...raised,
        pid: 11,
        how: 'reported',
        frames: [at('script', 'repro.py', 4, 'work'), at('subject', 'picker.py', 14, 'pick')],
      })
      .exception({ ...raised, frames: [at('script', 'repro.py', 7, '<module>')], raisedIn: 'standard-library' })
      .exit(1)
      .build();
    expect(codes(confirm(text, FACETS.crash, { candidate: records }), 'finding')).toEqual([]);
  });
});

describe('prints-the-answer, warnings', () => {
  const facet = observedFacet([{ kind: 'warning', pattern: 'Mean of empty slice' }]);
  const warned = createEvidence()
    .modules('learn.py')
    .warning({ category: 'builtins.RuntimeWarning', message: 'Mean of empty slice.' })
    .exit(0)
    .build();

  it.each(['warn_explicit', 'WarningMessage'])('refuses one that the script makes up by %s', (maker) => {
    const text = `import warnings\nimport learn\nlearn.learn(1)\nwarnings.${maker}("Mean of " + "empty slice.", RuntimeWarning, learn.__file__, 7)\n`;
    expect(codes(confirm(text, facet, { candidate: warned }), 'finding')).toContain('prints-the-answer');
  });
});

describe('prints-the-answer, text of the project', () => {
  const lines = (text: string) => createEvidence().modules('scoring.py').stdout(text).exit(0).build();
  const guarded = 'from scoring import score\nfor _ in range(int(score([1], [1]) + 1)):\n    print("acc 3.31")\n';

  it('refuses the claimed text as a literal, also where the subject decides how often it comes', () => {
    const findings = confirm(guarded, FACETS.printed, { candidate: lines('acc 3.31'), fixed: lines('acc none') });
    expect(codes(findings, 'finding')).toContain('prints-the-answer');
  });

  it('lets text be that holds what the subject gave', () => {
    const honest = 'from scoring import score\nprint(f"acc {score([1], [1])}")\n';
    expect(codes(confirm(honest, FACETS.printed, { candidate: lines('acc 3.31'), fixed: lines('acc 0.9') }), 'finding')).toEqual([]);
  });
});
