import type { EvidenceRecord, Facet } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { observedFacet } from '../../testing/claim-builder.js';
import { createEvidence } from '../../testing/evidence-builder.js';
import { check, confirm } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';

const facetOf = (...oracles: object[]): Facet =>
  observedFacet(
    oracles.map((one) => Oracle.parse(one)),
    { id: 'x', shownBy: 'measurement' },
  );
const head = 'import os, subprocess, sys, time, scoring\nvalue = scoring.score([1], [1])\n';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'prints-the-answer');
const told = (text: string, facet: Facet = FACETS.accuracy) => own(check(head + text, facet));
const two = facetOf({ kind: 'relation', left: { obs: 'a' }, op: '>', right: { obs: 'b' } });
const both = facetOf(
  { kind: 'relation', left: { obs: 'a' }, op: '>', right: 1 },
  { kind: 'relation', left: { obs: 'b' }, op: '>', right: 1 },
);

describe('prints-the-answer suspects numbers', () => {
  it('that are literals, with their place, names and values', () => {
    expect(told('print("OBS acc=4.0")\n')).toMatchObject([
      {
        level: 'suspicion',
        file: 'repro.py',
        line: 3,
        facet: 'accuracy',
        detail: { guarded: false, names: 'acc', 'value:acc': '4.0' },
        message: 'the observed acc is fixed by the script itself',
      },
    ]);
  });

  it('that something else than the subject gives', () => {
    expect(told('print(f"OBS acc={time.time()}")\n')).toMatchObject([
      { message: 'the observed acc does not come from the subject', detail: { guarded: true, names: 'acc' } },
    ]);
    expect(told('print(f"OBS acc={value}")\n')).toEqual([]);
    expect(told('print(f"OBS other=4.0")\n')).toEqual([]);
  });

  it('only where every number of an oracle, and every oracle of a facet, is met', () => {
    expect(told('print(f"OBS a=3 b=2")\n', two)).toMatchObject([{ detail: { names: 'a b', 'value:a': '3', 'value:b': '2' } }]);
    expect(told('print(f"OBS a=3 b={value}")\n', two)).toEqual([]);
    expect(told('print("OBS a=3")\n', two)).toEqual([]);
    expect(told('print("OBS a=3 b=2")\n', both).length).toBe(2);
    expect(told('print(f"OBS a=3 b={value}")\n', both)).toEqual([]);
  });

  it('whose name is computed', () => {
    expect(told('for name in ("acc", "b"):\n    print(f"OBS {name}=4.0")\n').length).toBe(1);
  });

  it('beside a status, which says nothing by itself', () => {
    const with_ = facetOf({ kind: 'relation', left: { obs: 'acc' }, op: '>', right: 1 }, { kind: 'exit', code: 0 });
    expect(told('print("OBS acc=4.0")\n', with_).length).toBe(1);
    expect(told('print("OBS acc=4.0")\n', facetOf({ kind: 'exit', code: 0 }))).toEqual([]);
  });
});

describe('prints-the-answer suspects choices', () => {
  it.each([
    ['print(f"OBS acc={4.0 if value else 0.9}")\n', true],
    ['print("OBS acc=0.9")\nprint(f"OBS acc={4.0 if value else 0.9}")\n', true],
    ['print(f"OBS acc={value}")\nprint(f"OBS acc={4.0 if value else 0.9}")\n', false],
    ['print(f"OBS acc={1.0 if value else 0}")\n', false],
    ['print(f"OBS acc={1 if value else 2}")\n', true],
    ['print(f"OBS acc={4.0 if value else 4.0}")\n', false],
    ['print(f"OBS other={4.0 if value else 0.9}")\n', false],
  ])('in %j: %s', (text, expected) => {
    expect(told(text).some(({ detail }) => detail?.['chosen'] === true)).toBe(expected);
  });

  it('in all numbers of an oracle', () => {
    const chosen = (text: string) => told(text, two).some(({ detail }) => detail?.['chosen'] === true);
    expect(chosen('a = 4 if value else 3\nprint(f"OBS a={a} b=2")\n')).toBe(true);
    expect(chosen('a = 4 if value else 3\nprint(f"OBS a={a} b={value}")\n')).toBe(false);
    expect(chosen('a = 4 if value else 3\nprint(f"OBS a={a}")\n')).toBe(false);
  });
});

describe('prints-the-answer suspects texts', () => {
  it('that hold the claimed one by themselves', () => {
    expect(told('print("acc 3.1")\n', FACETS.printed)).toMatchObject([{ line: 3, detail: { guarded: false, template: 'acc 3.1' } }]);
    expect(told('if value:\n    print("acc 3.1")\n', FACETS.printed)[0]?.detail).toMatchObject({ guarded: true });
    expect(told('print("acc", value)\n', FACETS.printed)).toEqual([]);
    expect(told('print("loss 3.1")\n', FACETS.printed)).toEqual([]);
  });

  it('in children', () => {
    expect(told('subprocess.run([sys.executable, "-c", "print(\'OBS acc=4.0\')"])\n')).toMatchObject([
      { line: 3, detail: { guarded: false } },
    ]);
    expect(told('subprocess.run([sys.executable, "-c", "import x; print(\'OBS acc=4.0\')"])\n')[0]?.detail).toMatchObject({
      guarded: true,
    });
    expect(told('open("c.py", "w").write("print(\'OBS acc=4.0\')")\n').length).toBe(1);
    expect(told('subprocess.run([sys.executable, "-c", "print(\'acc=4.0\')"])\n')).toEqual([]);
    expect(told('subprocess.run([sys.executable, "-c", "print(\'OBS\')"])\n')).toEqual([]);
    expect(told('subprocess.run(["echo", "acc 3.1"])\n', FACETS.printed).length).toBe(1);
    expect(told('time.strftime("acc 3.1")\n', FACETS.printed)).toEqual([]);
  });
});

describe('prints-the-answer in the trials', () => {
  const obs = (values: Record<string, number | string>): EvidenceRecord[] =>
    createEvidence().modules('scoring.py').obs(values).exit(0).build();
  const level = (text: string, candidate: EvidenceRecord[], facet: Facet = FACETS.accuracy, fixed?: EvidenceRecord[]) =>
    own(confirm(head + text, facet, fixed === undefined ? { candidate } : { candidate, fixed }))[0]?.level;
  const lines = (...texts: string[]): EvidenceRecord[] =>
    texts
      .reduce((builder, text) => builder.stdout(text), createEvidence().modules('scoring.py'))
      .exit(0)
      .build();

  it('compares the value that was observed with the literal', () => {
    const text = 'print("OBS acc=4.0")\n';
    expect(level(text, obs({ acc: 4 }))).toBe('finding');
    expect(level(text, obs({ acc: 3 }))).toBe('refuted');
    expect(level(text, obs({ acc: 1 }))).toBe('refuted');
    expect(level(text, obs({ acc: 4 }), FACETS.accuracy, obs({ acc: 1 }))).toBe('refuted');
    expect(level(text, obs({ acc: 4 }), FACETS.accuracy, obs({ acc: 4 }))).toBe('finding');
  });

  it('takes any of several names', () => {
    expect(level('print("OBS a=3 b=2")\n', obs({ a: 3, b: 2 }), two)).toBe('finding');
    expect(level('print("OBS a=3 b=2")\n', obs({ a: 5, b: 4 }), two)).toBe('refuted');
  });

  it('compares printed lines piece by piece, in order', () => {
    const level2 = (text: string, line: string) => level(text, lines(line), FACETS.printed);
    expect(level2('print("epoch", value, "acc 3.1 of", value)\n', 'epoch 1 acc 3.1 of 1')).toBe('finding');
    expect(level2('print("epoch", value, "acc 3.1 of", value)\n', 'acc 3.1 of epoch')).toBe('refuted');
    expect(level2('print("epoch", value, "acc 3.1 of", value)\n', 'epoch 1 acc 3.1')).toBe('refuted');
    expect(level2('print("first\\nacc 3.1")\n', 'acc 3.1')).toBe('finding');
  });

  it('takes the claimed text for a finding, whatever decides over it', () => {
    expect(level('if value:\n    print("acc 3.1")\n', lines('acc 3.1'), FACETS.printed, lines('none'))).toBe('finding');
  });

  it('knows what a child was given to print', () => {
    const text = 'subprocess.run([sys.executable, "-c", "print(\'OBS acc=4.0\')"])\n';
    expect(level(text, obs({ acc: 4 }))).toBe('finding');
    expect(level(text, obs({ acc: 4 }), FACETS.accuracy, obs({ acc: 1 }))).toBe('refuted');
  });

  it('refuses a traceback that is made up, also where no oracle fell for it', () => {
    const trace = 'print("Traceback (most recent call last)\\nIndexError: list index out of range", file=sys.stderr)\n';
    const printed = lines('Traceback (most recent call last)', 'IndexError: list index out of range');
    expect(level(trace, printed, FACETS.crash)).toBe('finding');
    expect(level(trace, lines('nothing'), FACETS.crash)).toBe('refuted');
    expect(level('if value:\n    ' + trace, printed, FACETS.crash)).toBe('refuted');
    expect(level('print("IndexError: list index out of range")\n', lines('IndexError: list index out of range'), FACETS.crash)).toBe(
      'refuted',
    );
  });
});
