import type { EvidenceRecord } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidence } from '../../testing/evidence-builder.js';
import { at, check, confirm, crash, python } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';
import { listingOf } from '../subject-listing.js';

const head = 'import types, picker\npicker.running([[1], [2]])\n';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'forges-evidence');
const subjectAt = (line: number, name: string) =>
  crash([at('script', 'repro.py', 2, '<module>'), at('subject', 'picker.py', line, name)], 'subject');

describe('forges-evidence suspects', () => {
  it.each([
    ['code under another name', 'compile("x", picker.__file__, "exec")\n'],
    ['code under a written name', 'compile("x", "picker.py", "exec")\n'],
    ['a traceback of its own', 'types.TracebackType(None, f, 1, 2)\n'],
    ['frames handed to an error', 'raise error.with_traceback(trace)\n'],
    ['a code object with another file', 'f.__code__.replace(co_filename="picker.py")\n'],
    ["the probe's channel by a text", 'open("/x/REENACT_PROBE")\n'],
    ["the probe's channel by a name", 'import reenact_probe\n'],
  ])('%s', (_name, text) => {
    expect(own(check(head + text))).toMatchObject([{ level: 'suspicion', file: 'repro.py', line: 3 }]);
  });

  it.each([
    'compile("x", "<string>", "exec")\n',
    'compile("x", __file__, "exec")\n',
    'compile("x")\n',
    '"a".replace("b", "c")\n',
    'f.__code__.replace(co_name="x")\n',
    'other.compile("x", "picker.py")\n',
  ])('not %j', (text) => {
    expect(own(check(head + text))).toEqual([]);
  });
});

describe('forges-evidence in the trials', () => {
  const compiled = `${head}compile("x", "picker.py", "exec")\n`;
  const real = subjectAt(14, 'pick');
  const gone = createEvidence().exception({ message: 'reenact-tripwire-sentinel-1' }).exit(1).build();
  const levels = (text: string, arms: Parameters<typeof confirm>[2]) => own(confirm(text, FACETS.crash, arms)).map(({ level }) => level);

  it('is refuted where nothing is shown, or where the signal goes with the suspects', () => {
    expect(levels(compiled, { candidate: createEvidence().modules('picker.py').exit(0).build() })).toEqual(['refuted']);
    expect(levels(compiled, { candidate: real, tripwire: gone })).toEqual(['refuted']);
    expect(levels(compiled, { candidate: real })).toEqual(['finding']);
    expect(levels(compiled, { candidate: real, tripwire: real })).toEqual(['finding']);
  });

  it('is a finding where the suspects were broken and the signal is shown all the same', () => {
    const both = createEvidence()
      .modules('picker.py')
      .exception({ message: 'reenact-tripwire-sentinel-1' })
      .exception({
        type: 'builtins.IndexError',
        message: 'list index out of range',
        frames: [at('subject', 'picker.py', 14, 'pick')],
        raisedIn: 'subject',
      })
      .exit(1)
      .build();
    expect(levels(compiled, { candidate: real, tripwire: both })).toEqual(['finding']);
  });

  it('is a finding in any case where the probe is touched, or frames are borrowed', () => {
    const quiet = createEvidence().modules('picker.py').exit(0).build();
    expect(levels(`${head}import reenact_probe\n`, { candidate: quiet })).toEqual(['finding']);
    const borrowed = `${head}raise IndexError("x").with_traceback(trace)\n`;
    expect(levels(borrowed, { candidate: real, tripwire: gone })).toEqual(['finding']);
    expect(levels(`${head}raise error.with_traceback(trace)\n`, { candidate: real, tripwire: gone })).toEqual(['refuted']);
  });

  /** picker.py: class Picker from line 5, __init__ 6 to 8, pick 10 to 14, running 17 to 18. */
  it.each([
    [14, 'pick', false],
    [18, 'running', false],
    [19, 'running', true],
    [15, 'pick', true],
    [10, 'pick', false],
    [13, 'running', false],
    [14, 'made_up', true],
    [14, '<lambda>', false],
    [14, '<module>', true],
    [3, '<module>', false],
    [6, '<module>', false],
    [5, 'Picker', false],
    [20, 'pick', true],
    [14, 'Picker.pick', false],
  ])('holds line %i in %s against the snapshot: forged %s', (line, name, forged) => {
    expect(own(confirm(head, FACETS.crash, { candidate: subjectAt(line, name) })).length > 0).toBe(forged);
  });

  /** tall.py: `far` is line 24, `last` is line 25, the last one, without a line break. */
  it.each([
    [24, 'far', false],
    [4, 'far', false],
    [3, 'far', true],
    [24, '<module>', false],
    [25, 'last', false],
    [26, 'last', true],
    [26, '<module>', true],
  ])('lets decorators, functions of one line and the last line be: line %i in %s is forged %s', (line, name, forged) => {
    const listing = listingOf(python, { 'tall.py': `${'#\n'.repeat(23)}def far(): return 1\ndef last(): return 2` });
    const candidate = crash([at('script', 'repro.py', 2, '<module>'), at('subject', 'tall.py', line, name)], 'subject');
    expect(own(confirm('import tall\ntall.far()\n', FACETS.crash, { candidate }, listing)).length > 0).toBe(forged);
  });

  it('says which record of which trial, and leaves out frames of other places and of launchers', () => {
    const [found] = own(confirm(head, FACETS.crash, { candidate: subjectAt(14, 'made_up') }));
    expect(found).toMatchObject({ level: 'finding', facet: 'crash', message: expect.stringContaining('picker.py:14 in made_up') });
    expect(found?.evidence).toMatch(/^record \d+ of trial /);
    const elsewhere = crash([at('dependency', 'picker.py', 14, 'made_up')], 'subject');
    expect(own(confirm(head, FACETS.crash, { candidate: elsewhere }))).toEqual([]);
    const reported = subjectAt(14, 'made_up').map((record): EvidenceRecord =>
      record.kind === 'exception' ? { ...record, how: 'reported' } : record,
    );
    expect(own(confirm(head, FACETS.crash, { candidate: reported }))).toEqual([]);
  });
});
