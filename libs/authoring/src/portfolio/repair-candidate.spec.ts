import { describe, expect, it } from 'vitest';
import type { Candidate } from '@reenact/domain';
import { summarizeEvidence } from '../evidence-summary.js';
import type { EvidenceSummary } from '../evidence-summary.js';
import { plainClaim } from '../testing/index.js';
import { buildCandidate, buildLaunch } from './launch-building.js';
import { repairCandidate } from './repair-candidate.js';
import { treeOfTexts } from './subject-tree.js';

function snippet(text: string): Candidate {
  const launch = buildLaunch([{ argv: ['python', '@script/repro.py'], ranks: 1, continueOnError: false }], {}, plainClaim());
  return buildCandidate({ origin: 'report-snippet', files: [{ path: 'repro.py', text }], launch, source: 'report', repairs: [] });
}

function failure(type: string, message: string, raisedIn = 'script'): EvidenceSummary {
  return {
    ...summarizeEvidence([]),
    exceptions: [{ type, message, raisedIn, frames: [] }],
    stderrTail: [`${type}: ${message}`],
    exitCode: 1,
  };
}

const tree = treeOfTexts({ 'net.py': 'class Net:\n    pass\n', 'data/rows.csv': '1\n' });

describe('repairCandidate', () => {
  it.each([
    [
      'a well-known name',
      'x = np.ones(1)\n',
      failure('builtins.NameError', "name 'np' is not defined"),
      'import numpy as np\nx = np.ones(1)\n',
    ],
    ['a class of the project', 'Net()\n', failure('NameError', "name 'Net' is not defined"), 'from net import Net\nNet()\n'],
    [
      'below a future import',
      'from __future__ import annotations\nNet()\n',
      failure('NameError', "name 'Net' is not defined"),
      'from __future__ import annotations\nfrom net import Net\nNet()\n',
    ],
    ['prompts', '>>> x = 1\n>>> print(x)\n1\n', failure('SyntaxError', 'invalid syntax'), 'x = 1\nprint(x)'],
    [
      'a file of the project',
      'open("rows.csv")\n',
      failure('FileNotFoundError', "[Errno 2] No such file or directory: 'rows.csv'"),
      'open("data/rows.csv")\n',
    ],
    [
      'CUDA on a machine without it',
      'm = M().cuda()\nd = "cuda:0"\n',
      failure('AssertionError', 'Torch not compiled with CUDA enabled', 'dependency'),
      'm = M()\nd = "cpu"\n',
    ],
  ])('mends %s and records it', (_name, text, evidence, expected) => {
    const before = snippet(text);
    const after = repairCandidate(before, evidence, tree);
    expect(after!.files[0]!.text).toBe(expected);
    expect(after!.repairs).toHaveLength(1);
    expect(after!.id).not.toBe(before.id);
  });

  it.each([
    ['a name that nothing defines', failure('NameError', "name 'mystery' is not defined")],
    ['an error of the subject', failure('NameError', "name 'np' is not defined", 'subject')],
    ['an error that no rule knows', failure('ValueError', 'bad shape')],
  ])('gives nothing for %s', (_name, evidence) => {
    expect(repairCandidate(snippet('np.ones(1)\n'), evidence, tree)).toBeNull();
  });

  it('never changes a script that was given', () => {
    const evidence = failure('NameError', "name 'np' is not defined");
    expect(repairCandidate({ ...snippet('np.ones(1)\n'), origin: 'given' }, evidence, tree)).toBeNull();
  });
});
