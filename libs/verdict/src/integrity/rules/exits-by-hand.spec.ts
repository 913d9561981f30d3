import type { EvidenceRecord } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { observedFacet } from '../../testing/claim-builder.js';
import { createEvidence } from '../../testing/evidence-builder.js';
import { check, confirm } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';

const claimed = (oracle: object) => observedFacet([Oracle.parse({ kind: 'exit', ...oracle })], { id: 'status' });
const head = 'import ctypes, faulthandler, os, signal, sys, learn\nvalue = learn.learn(1)\n';
const places = (text: string, oracle: object) => check(head + text, claimed(oracle)).filter(({ rule }) => rule === 'exits-by-hand');

describe('exits-by-hand', () => {
  it.each([
    ['sys.exit(3)', { code: 3 }],
    ['os._exit(3)', { code: 3 }],
    ['raise SystemExit(3)', { code: 3 }],
    ['sys.exit(-1)', { code: 255 }],
    ['sys.exit(259)', { code: 3 }],
    ['sys.exit("no")', { code: 1 }],
    ['sys.exit("no" "thing")', { code: 1 }],
    ['os.abort()', { signal: 'SIGABRT' }],
    ['faulthandler._sigabrt()', { signal: 'SIGABRT' }],
    ['faulthandler._sigfpe()', { signal: 'SIGFPE' }],
    ['faulthandler._sigsegv()', { signal: 'SIGSEGV' }],
    ['ctypes.string_at(0)', { signal: 'SIGSEGV' }],
    ['ctypes.memset(0, 1, 2)', { signal: 'SIGSEGV' }],
    ['os.kill(os.getpid(), signal.SIGFPE)', { signal: 'SIGFPE' }],
    ['signal.raise_signal(signal.SIGBUS)', { signal: 'SIGBUS' }],
    ['sys.exit(4)', { op: '!=', code: 0 }],
    ['os.abort()', { op: '!=', signal: 'SIGFPE' }],
  ])('suspects %s where %j is claimed', (text, oracle) => {
    expect(places(`${text}\n`, oracle)).toMatchObject([{ level: 'suspicion', file: 'repro.py', line: 3, facet: 'status' }]);
  });

  it.each([
    ['sys.exit(3)', { code: 4 }],
    ['sys.exit(0)', { op: '!=', code: 3 }],
    ['sys.exit()', { op: '!=', code: 3 }],
    ['sys.exit(4)', { op: '!=', code: 4 }],
    ['sys.exit(value)', { code: 1 }],
    ['sys.exit(-value)', { code: 1 }],
    ['sys.exit(main())', { code: 1 }],
    ['ctypes.string_at(value)', { signal: 'SIGSEGV' }],
    ['os.kill(value, signal.SIGFPE)', { signal: 'SIGFPE' }],
    ['os.kill(os.getpid(), value)', { signal: 'SIGFPE' }],
    ['os.abort()', { signal: 'SIGFPE' }],
    ['print(3)', { code: 3 }],
  ])('does not suspect %s where %j is claimed', (text, oracle) => {
    expect(places(`${text}\n`, oracle)).toEqual([]);
  });

  it('says whether the subject decides over it', () => {
    expect(places('if value:\n    sys.exit(3)\n', { code: 3 })[0]?.detail).toEqual({ guarded: true, code: 3 });
    expect(places('sys.exit(3)\n', { code: 3 })[0]?.detail).toEqual({ guarded: false, code: 3 });
  });

  const answer = (text: string, candidate: EvidenceRecord[], oracle: object = { code: 3 }) =>
    confirm(head + text, claimed(oracle), { candidate }).find(({ rule }) => rule === 'exits-by-hand');
  const run = () => createEvidence().modules('learn.py');

  it('is a finding where a process ended itself so, and no exception did', () => {
    expect(answer('sys.exit(3)\n', run().exit(3).build())).toMatchObject({ level: 'finding', evidence: expect.stringContaining('line 3') });
    expect(answer('if value:\n    sys.exit(3)\n', run().exit(3).build())?.level).toBe('suspicion');
    expect(answer('os.abort()\n', run().exit(null, { signal: 'SIGABRT' }).build(), { signal: 'SIGABRT' })?.level).toBe('finding');
  });

  it('is refuted by another end', () => {
    expect(answer('sys.exit(3)\n', run().exit(0).build())?.evidence).toContain('not shown');
    expect(answer('sys.exit(4)\n', run().exit(3).build(), { op: '!=', code: 0 })?.evidence).toContain('no process ended');
    expect(answer('sys.exit(3)\n', run().exit(3, { endedBy: 'wall-limit' }).build())?.level).toBe('refuted');
    expect(answer('sys.exit(3)\n', run().exception({ how: 'uncaught' }).exit(3).build())?.level).toBe('refuted');
  });

  it('is no matter of a claim without a status', () => {
    expect(check(`${head}sys.exit(1)\n`, FACETS.accuracy).filter(({ rule }) => rule === 'exits-by-hand')).toEqual([]);
  });
});
