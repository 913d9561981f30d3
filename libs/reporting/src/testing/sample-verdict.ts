import type { Verdict } from '@reenact/domain';

const CONTROLS: Verdict['controls'] = [
  {
    arm: 'fixed',
    label: 'the subject with the patch given',
    state: 'absent',
    rate: { shown: 0, total: 3, low: 0, high: 0.7076 },
    p: null,
    note: 'the same oracle stays silent',
    trials: ['0123456789ab-fixed-0'],
  },
  {
    arm: 'good',
    label: 'other environment',
    state: 'not-run',
    rate: { shown: 0, total: 0, low: 0, high: 1 },
    p: 0.05,
    note: '',
    trials: [],
  },
];

/** A verdict with every part filled, for specs; `changes` replaces parts of it. */
export function sampleVerdict(changes: Partial<Verdict> = {}): Verdict {
  const rate = { shown: 3, total: 3, low: 0.2924, high: 1 };
  return {
    schemaVersion: 1,
    runId: 'loss-turns-nan-1a2b3c',
    verdict: 'reproduced',
    sentence:
      'Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %), 0 of 3 with the subject with the patch given; grade A, depth L6.',
    rate,
    grade: 'A',
    gradeReason: 'numpy 2.3.5 as reported',
    depth: 'L6',
    facets: [
      {
        id: 'f1',
        statement: "AttributeError: module 'numpy' has no attribute 'float'",
        live: true,
        state: 'shown',
        shownBy: 'harness',
        rate,
        grounding: [{ trial: '0123456789ab-candidate-0', seq: 7, text: "AttributeError: module 'numpy' has no attribute 'float'" }],
      },
    ],
    controls: CONTROLS,
    findings: [
      {
        rule: 'prints-the-answer',
        message: 'a literal equals the text',
        file: 'repro.py',
        line: 4,
        level: 'refuted',
        evidence: 'the subject raised it',
      },
    ],
    reason: null,
    missing: ['the version of CUDA'],
    attempts: [
      { context: 0, attempt: 1, candidate: 'c1', origin: 'report-command', result: 'reproduced', note: 'shown at once', evidence: null },
    ],
    cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    bundle: { id: 'ab'.repeat(32), path: 'bundle.tar' },
    environment: { id: 'env-1', python: '3.11.7', sandbox: 'user, mount, network' },
    skipped: ['refining the claim: no model is configured'],
    trials: 7,
    seconds: 61.2,
    ...changes,
  };
}
