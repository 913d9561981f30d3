import { readFileSync } from 'node:fs';
import type { EvidenceRecord } from '@reenact/domain';
import { readReport } from '@reenact/report';
import { createEvidenceView, failureOf } from '@reenact/verdict';
import { describe, expect, it } from 'vitest';

const EVIDENCE = new URL('./fixtures/failure-evidence/', import.meta.url);
const TEXTS = new URL('./fixtures/failure-texts/', import.meta.url);

function recordsOf(name: string): EvidenceRecord[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, EVIDENCE), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as EvidenceRecord);
}

/** Trials of three ranks over gloo in which rank 1 fails in the third step: recorded, per rank and below torch's launcher. */
const ROOTS: [trial: string, signature: string, raisedIn: string][] = [
  ['dist-ranks.t113', "KeyError: 'tokens' at dist.py:step", 'subject'],
  ['dist-ranks.t26', "KeyError: 'tokens' at dist.py:step", 'subject'],
  ['dist-run3.t26', "KeyError: 'tokens' at dist.py:step", 'subject'],
  ['dist_exit-ranks.t113', 'exit status 7', 'outside'],
  ['dist_exit-ranks.t26', 'exit status 7', 'outside'],
  ['dist_exit-run3.t26', 'exit status 7 of rank 1, as its launcher tells', 'outside'],
  ['dist_segv-ranks.t113', 'ended by SIGSEGV at dist_segv.py:step', 'subject'],
  ['dist_segv-ranks.t26', 'ended by SIGSEGV at dist_segv.py:step', 'subject'],
  ['dist_segv-run3.t26', 'ended by SIGSEGV at dist_segv.py:step', 'subject'],
  [
    'dist_shape-ranks.t113',
    'RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0 at dist_shape.py:step',
    'subject',
  ],
  [
    'dist_shape-run3.t26',
    'RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0 at dist_shape.py:step',
    'subject',
  ],
  ['spawn.t26', 'RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x4 and 3x5) at spawn.py:step', 'subject'],
  ['spawn_segv.t113', 'ended by SIGSEGV at spawn_segv.py:step', 'subject'],
  ['loader_segv.t26', 'RuntimeError: DataLoader worker (pid(s) 4) exited unexpectedly at loader_segv.py:main', 'subject'],
];

describe('the root of a trial', () => {
  it.each(ROOTS)('of %s is %s', (trial, signature, raisedIn) => {
    expect(failureOf(createEvidenceView(recordsOf(trial)))).toMatchObject({ signature, raisedIn });
  });

  it.each(ROOTS)('of %s does not depend on the order in which the records of its ranks come', (trial, signature) => {
    const records = recordsOf(trial).toReversed();
    expect(failureOf(createEvidenceView(records))?.signature).toBe(signature);
  });

  it.each(['dist_sleep-ranks.t113', 'dist_sleep-ranks.t26'])('of %s is the time-out, not the rank that was ended for it', (trial) => {
    expect(failureOf(createEvidenceView(recordsOf(trial)))?.signature).toMatch(/^RuntimeError: \[.*Timed out waiting 5000ms/);
  });
});

describe('the root that a merged log tells', () => {
  it.each([
    ['dist-merged.t113', 'KeyError'],
    ['dist-run3.t26', 'KeyError'],
    ['dist_shape-merged.t113', 'RuntimeError'],
  ])('of %s comes before what its peers say', (name, type) => {
    const { exceptions } = readReport(new TextEncoder().encode(`\`\`\`\n${readFileSync(new URL(`${name}.txt`, TEXTS), 'utf8')}\n\`\`\`\n`));
    expect(exceptions[0]?.type).toBe(type);
  });

  it('of an elastic summary is the signal that it names', () => {
    const text = readFileSync(new URL('dist_segv-run3.t26.txt', TEXTS), 'utf8');
    expect(readReport(new TextEncoder().encode(`\`\`\`\n${text}\n\`\`\`\n`)).nativeFailures).toMatchObject([{ signal: 'SIGSEGV' }]);
  });
});
