import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame, SCRIPT_PID } from '../testing/index.js';

const CLAIM = 'RuntimeError: no version in tokenbox/__init__.py';
const oracle = { kind: 'build', message: CLAIM };
const setup = [frame('subject', 'setup.py', '<module>'), frame('subject', 'setup.py', 'version')];
const error = { type: 'builtins.RuntimeError', message: 'no version in tokenbox/__init__.py', frames: setup };
const STEP = ['python', 'setup.py', 'bdist_wheel'];
const PIP = ['python', '-m', 'pip', 'install', '--no-deps', '.'];
/** A launch step that builds. */
const step = (argv = STEP) => createEvidence().process(SCRIPT_PID, 1, argv);
/** A build that the script starts. */
const child = (argv = STEP) => createEvidence().process(SCRIPT_PID, 1, ['python', '/work/script/repro.py']).process(20, SCRIPT_PID, argv);
const state = (records: Parameters<typeof ask>[1], asked: object = oracle) => ask(asked, records).state;

describe('build', () => {
  it('is shown by a step that ends in error: by its exception, or by what it printed', () => {
    expect(state(step().exception(error).exit(1).build())).toBe('shown');
    expect(state(step(PIP).stderr('  RuntimeError: no version in tokenbox/__init__.py').exit(1).build())).toBe('shown');
    const compiler = { kind: 'build', message: "error: command 'nvcc' failed" };
    expect(state(step().stderr("error: command 'nvcc' failed: No such file or directory").exit(1).build(), compiler)).toBe('shown');
    const below = step(PIP)
      .process(30, SCRIPT_PID, ['python', '_in_process.py'])
      .exception({ ...error, pid: 30 });
    expect(state(below.exit(1).build())).toBe('shown');
  });

  it('is shown by a build that the script starts where the subject raises it', () => {
    expect(
      state(
        child()
          .exception({ ...error, pid: 20 })
          .exit(0)
          .build(),
      ),
    ).toBe('shown');
    expect(
      state(
        child(PIP)
          .process(30, 20, ['python', '_in_process.py'])
          .exception({ ...error, pid: 30 })
          .exit(1)
          .build(),
      ),
    ).toBe('shown');
  });

  it('is absent where the build ends well', () => {
    expect(state(step().exit(0).build())).toBe('absent');
    expect(state(step(PIP).stderr(CLAIM).exit(0).build())).toBe('absent');
    expect(state(child().exit(0).build())).toBe('absent');
  });

  it('is a collision where the build, or something before it, fails otherwise', () => {
    expect(
      state(
        step()
          .exception({ ...error, message: 'README.md is not there' })
          .exit(1)
          .build(),
      ),
    ).toBe('collision');
    expect(state(step(PIP).stderr('ERROR: no matching distribution').exit(1).build())).toBe('collision');
    expect(state(createEvidence().exception(error).exit(1).build())).toBe('collision');
  });

  it('does not take the words of anybody else for the build', () => {
    expect(state(child().stderr(CLAIM).exit(1).build())).not.toBe('shown');
    const own = { ...error, pid: 20, frames: [frame('script', '/tmp/x/setup.py', '<module>')] };
    expect(state(child().exception(own).exit(1).build())).not.toBe('shown');
    expect(
      state(createEvidence().process(SCRIPT_PID, 1, ['python', '/work/script/setup.py', 'build']).stderr(CLAIM).exit(1).build()),
    ).not.toBe('shown');
  });

  it('is undecided without a claim, without a build, and for a claim that would fit anything', () => {
    expect(state(step().exception(error).exit(1).build(), { kind: 'build' })).toBe('undecided');
    expect(state(createEvidence().process(SCRIPT_PID, 1, ['python', 'train.py']).exit(0).build())).toBe('undecided');
    expect(state(step().exception(error).exit(1).build(), { kind: 'build', message: 'error' })).toBe('collision');
    expect(state(step(['pip', 'install', 'other']).stderr(CLAIM).exit(1).build(), { ...oracle, distribution: 'tokenbox' })).toBe(
      'undecided',
    );
  });

  it('is not the tripwire, and not what a limit ended', () => {
    const tripped = step().exception({ ...error, message: `${error.message} SENTINEL` });
    expect(ask(oracle, tripped.exit(1).build(), { sentinel: 'SENTINEL' }).state).toBe('collision');
    expect(state(step().stderr(CLAIM).exit(null, { signal: 'SIGKILL', endedBy: 'wall-limit' }).build())).toBe('undecided');
  });

  it('is never shown where no command builds, whatever is printed and raised', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('train.py', '-c', 'install', 'python', 'build')),
        fc.integer({ min: 0, max: 3 }),
        (argv, code) => {
          const evidence = createEvidence()
            .process(SCRIPT_PID, 1, ['python', 'run.py', ...argv])
            .stderr(CLAIM)
            .exception(error);
          expect(state(evidence.exit(code).build())).not.toBe('shown');
        },
      ),
    );
  });
});
