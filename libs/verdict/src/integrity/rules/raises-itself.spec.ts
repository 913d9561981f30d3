import type { EvidenceRecord, Frame } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { exceptionOracle, observedFacet } from '../../testing/claim-builder.js';
import { createEvidence } from '../../testing/evidence-builder.js';
import { at, check, confirm, crash } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';

const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'raises-itself');
const suspects = (text: string, facet = FACETS.crash) => own(check(`import picker\npicker.running([[1], [2]])\n${text}`, facet));
const asserted = observedFacet([exceptionOracle({ types: ['AssertionError'] })]);

describe('raises-itself suspects', () => {
  it('a raise of the claimed type, and says where it begins and ends, and whether the message is the claimed one', () => {
    expect(suspects('raise IndexError(\n    "list index out of range"\n)\n')).toMatchObject([
      {
        level: 'suspicion',
        file: 'repro.py',
        line: 3,
        facet: 'crash',
        detail: { startLine: 3, endLine: 5, guarded: false, literal: true },
      },
    ]);
    expect(suspects('raise IndexError("something else")\n')[0]?.detail).toMatchObject({ literal: false });
    expect(suspects('raise IndexError(f"list index {picker.LIMIT}")\n')[0]?.detail).toMatchObject({ literal: false, guarded: true });
    expect(suspects('raise IndexError\n')[0]?.detail).toMatchObject({ literal: false });
  });

  it('one without a message where none is claimed', () => {
    const any = observedFacet([exceptionOracle({ types: ['IndexError'] })]);
    expect(suspects('raise IndexError\n', any)[0]?.detail).toMatchObject({ literal: false });
    expect(suspects('raise IndexError("x")\n', any)[0]?.detail).toMatchObject({ literal: true });
  });

  it('an assertion where one is claimed', () => {
    expect(suspects('assert (\n    False\n)\n', asserted)).toMatchObject([
      { line: 3, detail: { startLine: 3, endLine: 5, guarded: false } },
    ]);
    expect(suspects('assert False\n')).toEqual([]);
  });

  it('code in a text that raises it', () => {
    expect(suspects('exec("raise IndexError(\'list index out of range\')")\n')).toMatchObject([{ line: 3, detail: { inText: true } }]);
    expect(suspects('compile("raise IndexError(\'list index out of range\')", "x", "exec")\n')).toMatchObject([
      { detail: { inText: true } },
    ]);
    expect(suspects('exec("raise ValueError(\'no\')")\n')).toEqual([]);
    expect(suspects('exec("IndexError: list index out of range")\n')).toEqual([]);
    expect(suspects('print("raise IndexError: list index out of range")\n')).toEqual([]);
  });
});

describe('raises-itself lets be', () => {
  it.each([
    'try:\n    picker.running([[1]])\nexcept IndexError:\n    raise\n',
    'try:\n    picker.running([[1]])\nexcept IndexError as e:\n    raise e\n',
    'raise ValueError("list index out of range")\n',
  ])('%j', (text) => {
    expect(suspects(text)).toEqual([]);
  });
});

describe('raises-itself in the trials', () => {
  const text = 'import picker\npicker.running([[1], [2]])\nraise IndexError(\n    "list index out of range"\n)\n';
  const raisedAt = (...frames: Frame[]): EvidenceRecord[] => crash(frames, 'script');
  const levels = (candidate: EvidenceRecord[], more: Record<string, EvidenceRecord[]> = {}): string[] =>
    own(confirm(text, FACETS.crash, { candidate, ...more })).map(({ level }) => level);

  it.each([
    [2, 'refuted'],
    [3, 'finding'],
    [5, 'finding'],
    [6, 'refuted'],
  ])('an exception from line %i is answered by %s', (line, level) => {
    expect(own(confirm(text, FACETS.crash, { candidate: raisedAt(at('script', '/x/repro.py', line)) }))[0]?.level).toBe(level);
  });

  it('is refuted where the innermost frame is not of the script, or of another file of it', () => {
    expect(levels(raisedAt(at('script', 'repro.py', 3), at('subject', 'picker.py', 14, 'pick')))).toEqual(['refuted']);
    expect(levels(raisedAt(at('subject', 'repro.py', 3)))[0]).toBe('refuted');
    expect(levels(raisedAt(at('script', 'other.py', 3)))[0]).toBe('refuted');
    expect(levels(createEvidence().modules('picker.py').exit(0).build())).toEqual(['refuted']);
  });

  it('says so where the signal outlives the fault', () => {
    const own3 = raisedAt(at('script', 'repro.py', 3));
    const found = own(
      confirm(text, FACETS.crash, {
        candidate: own3,
        fixed: raisedAt(at('script', 'repro.py', 2), at('subject', 'picker.py', 14, 'pick')),
      }),
    )[0];
    expect([found?.level, found?.evidence]).toEqual(['finding', expect.stringContaining('control arm')]);
    expect(own(confirm(text, FACETS.crash, { candidate: own3 }))[0]?.evidence).toMatch(/line 3 of the script$/);
  });

  it('asks for a control where the literal message is handed on from the subject', () => {
    const handed = raisedAt(at('script', 'repro.py', 3)).map((record) =>
      record.kind === 'exception'
        ? {
            ...record,
            causes: [{ type: 'builtins.IndexError', message: 'x', link: 'cause' as const, frames: [at('subject', 'picker.py', 14)] }],
          }
        : record,
    );
    const fine = createEvidence().modules('picker.py').exit(0).build();
    expect(levels(handed, { fixed: fine })).toEqual(['refuted']);
  });

  it('takes code in a text for the one that raised where no frame of the subject is below it', () => {
    const code = 'import picker\npicker.running([[1], [2]])\nexec("raise IndexError(\'list index out of range\')")\n';
    const handedOn = (records: EvidenceRecord[]): EvidenceRecord[] =>
      records.map((record) =>
        record.kind === 'exception'
          ? { ...record, causes: [{ type: 'builtins.IndexError', message: 'x', link: 'cause', frames: [at('subject', 'picker.py', 14)] }] }
          : record,
      );
    const inText = (candidate: EvidenceRecord[]) =>
      own(confirm(code, FACETS.crash, { candidate })).find(({ detail }) => detail?.['inText'] === true)?.level;
    const ownFrames = raisedAt(at('script', 'repro.py', 3));
    expect(inText(ownFrames)).toBe('finding');
    expect(inText(handedOn(ownFrames))).toBe('refuted');
    expect(inText(raisedAt(at('script', 'repro.py', 2), at('subject', 'picker.py', 14, 'pick')))).toBe('refuted');
  });

  it('says nothing of frames whose place is unknown, and of a line that the subject decides over', () => {
    const quiet = 'import picker\nvalues = []\nif picker.running([[1], [2]]):\n    print(values[1])\nprint(values[1])\n';
    const answer = (frame: Frame) => own(confirm(quiet, FACETS.crash, { candidate: raisedAt(frame) }));
    expect(answer(at('script', 'repro.py', 4))).toEqual([]);
    expect(answer(at('script', 'repro.py', 5))).toMatchObject([{ level: 'finding', line: 5 }]);
    expect(answer({ file: 'repro.py', line: 5, function: 'f' })).toEqual([]);
  });

  it('tells of an exception without any frame of the subject, which no line of the script announces', () => {
    const quiet = 'import picker\npicker.running([[1], [2]])\nvalues = []\nprint(values[1])\nprint(picker.LIMIT)\n';
    const answer = (frame: Frame) => own(confirm(quiet, FACETS.crash, { candidate: raisedAt(frame) }));
    expect(answer(at('script', 'repro.py', 4))).toMatchObject([{ level: 'finding', file: 'repro.py', line: 4, facet: 'crash' }]);
    expect(answer(at('script', 'repro.py', 5))).toEqual([]);
    expect(answer(at('script', 'repro.py', 1))).toEqual([]);
    expect(answer(at('dependency', 'x.py', 4))).toEqual([]);
  });
});
