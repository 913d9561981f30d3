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
const head = 'import subprocess, sys, scoring\nvalue = scoring.score([1], [1])\n';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'prints-the-answer');
const told = (text: string, facet: Facet) => own(check(`${head}${text}\n`, facet));
const output = { kind: 'output', pattern: 'acc [2-9]\\.\\d' };
const relation = { kind: 'relation', left: { obs: 'acc' }, op: '>', right: 1 };
const printed = { kind: 'printed', pattern: 'acc (\\d\\.\\d)', op: '>', right: 1 };
const guards = (text: string, facet: Facet) => told(text, facet).map(({ detail }) => detail?.['guarded']);

describe('prints-the-answer in what is decided by the subject', () => {
  it('tells a line that stands for itself from one under a condition', () => {
    expect(guards('print("acc 3.1")\nif value:\n    print("acc 3.1")', facetOf(output))).toEqual([false, true]);
  });

  it('takes a facet for guarded where one of its oracles can only be met by guarded lines', () => {
    const both = facetOf(output, relation);
    expect(guards('print("OBS acc=4.0")\nif value:\n    print("acc 3.1")', both)).toEqual([true, true]);
    expect(guards('print("OBS acc=4.0")\nprint("acc 3.1")', both)).toEqual([false, false]);
  });

  it('takes a child for guarded that is only started under a condition', () => {
    const child = 'subprocess.run([sys.executable, "-c", "print(\'OBS acc=4.0\')"])';
    expect(guards(child, facetOf(relation))).toEqual([false]);
    expect(guards(`if value:\n    ${child}`, facetOf(relation))).toEqual([true]);
  });

  it('leaves what the text of the source decides over to another rule', () => {
    const text = 'source = open(scoring.__file__).read()\nacc = 4.0 if "x" in source else 2.0\nprint(f"OBS acc={acc}")';
    expect(told(text, facetOf(relation))).toEqual([]);
  });
});

describe('prints-the-answer suspects a printed line', () => {
  const chosen = (text: string, ...oracles: object[]) => told(text, facetOf(...oracles)).some(({ detail }) => detail?.['chosen'] === true);

  it.each([
    ['print(f"acc {4.5 if value else 3.5}")', true],
    ['print(f"acc {4.5 if value else 3.5} {1 if value else 0}")', true],
    ['print(f"acc {4.5 if value else 3.5} {value}")', false],
    ['print(f"acc {value}")', false],
    ['print(f"loss {4.5 if value else 3.5}")', false],
  ])('whose number is one of several: %j, %s', (text, expected) => {
    expect(chosen(text, printed)).toBe(expected);
  });

  it('only where all that is claimed is a printed number, and the line holds all of it', () => {
    const text = 'print(f"acc {4.5 if value else 3.5}")';
    expect(chosen(text, printed, relation)).toBe(false);
    expect(chosen(text, printed, { ...printed, pattern: 'loss (\\d)' })).toBe(false);
  });

  it('in any script', () => {
    expect(chosen('print(f"精度：{4.5 if value else 3.5}")', { ...printed, pattern: '精度：(\\d\\.\\d)' })).toBe(true);
    expect(told('print("精度：3.1")', facetOf({ ...output, pattern: '精度：3' })).length).toBe(1);
  });

  it('also around a value', () => {
    expect(told('print(f"acc {value}3.1")', facetOf(output)).length).toBe(1);
  });
});

describe('prints-the-answer in the trials', () => {
  const seen = (acc: number | string, ...texts: string[]): EvidenceRecord[] =>
    texts
      .reduce((builder, text) => builder.stdout(text), createEvidence().modules('scoring.py').obs({ acc, crashed: acc }))
      .exit(0)
      .build();
  const levels = (text: string, facet: Facet, candidate: EvidenceRecord[], fixed?: EvidenceRecord[]) =>
    own(confirm(`${head}${text}\n`, facet, fixed === undefined ? { candidate } : { candidate, fixed })).map(({ level }) => level);

  it('lets a control clear a literal beside a number, and never one that only a status stands beside', () => {
    const fixed = seen(1, 'none');
    expect(levels('print("acc 3.1")\nprint("OBS acc=4.0")', facetOf(output, relation), seen(4, 'acc 3.1'), fixed)).toEqual([
      'refuted',
      'refuted',
    ]);
    expect(levels('print("acc 3.1")', facetOf(output, { kind: 'exit', code: 0 }), seen(4, 'acc 3.1'), fixed)).toEqual(['finding']);
  });

  it('compares words as they are written', () => {
    expect(levels('print("OBS crashed=True")', FACETS.crashed, seen('True'))).toEqual(['finding']);
  });

  it('does not take a line for that of a template whose row has nothing fixed in it', () => {
    const text = 'print(f"{value}\\nacc 3.1")';
    expect(levels(text, facetOf(output), seen(4, 'acc 3.1'))).toEqual(['finding']);
    expect(levels(text, facetOf(output), seen(4, 'acc 2.2'))).toEqual(['refuted']);
  });

  it('takes the line of a child for its own only where the child was given it', () => {
    const text = 'subprocess.run(["echo", "acc 3.1"])';
    expect(levels(text, facetOf(output), seen(4, 'acc 3.1'))).toEqual(['finding']);
    expect(levels(text, facetOf(output), seen(4, 'acc 2.2'))).toEqual(['refuted']);
  });
});
