import type { EvidenceRecord, Rest, Statement, Verdict } from '@reenact/domain';
import type { ResultMaterial } from '../result/result-material.js';
import { sampleVerdict } from './sample-verdict.js';

const TRIAL = '0123456789ab-candidate-0';
const CANDIDATES: Rest = { type: 'trials', arm: 'candidate', trials: [TRIAL, '0123456789ab-candidate-1', '0123456789ab-candidate-2'] };
const CONTROLS: Rest = { type: 'trials', arm: 'fixed', trials: ['0123456789ab-fixed-0'] };

/** Statements of the sample verdict, one of each kind and standing. */
export function sampleStatements(): Statement[] {
  const record: Rest = { type: 'record', trial: TRIAL, seq: 7 };
  const drafts: Omit<Statement, 'id' | 'standing'>[] = [
    {
      about: 'verdict',
      of: null,
      joint: '',
      text: 'Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %)',
      rests: [CANDIDATES],
    },
    { about: 'verdict', of: null, joint: ', ', text: '0 of 3 with the subject with the patch given', rests: [CONTROLS] },
    { about: 'verdict', of: null, joint: '; ', text: 'grade A, depth L6', rests: [{ type: 'judgement', field: 'grade' }] },
    {
      about: 'facet',
      of: 'f1',
      text: 'The report says “it stops with an AttributeError”',
      rests: [{ type: 'report', span: { start: 12, end: 42 } }],
    },
    { about: 'facet', of: 'f1', text: `Trial ${TRIAL} has “AttributeError: module 'numpy' has no attribute 'float'”`, rests: [record] },
    { about: 'control', of: 'fixed', text: 'The symptom is gone: 0 of 3 trials (95 % interval 0–71 %)', rests: [CONTROLS] },
    { about: 'grade', of: null, text: 'numpy 2.3.5 as reported', rests: [{ type: 'environment' }] },
    { about: 'depth', of: null, text: 'L6: it fails here and passes with the fix or the good version', rests: [CANDIDATES, CONTROLS] },
    { about: 'environment', of: null, text: 'It ran with Python 3.11.7', rests: [{ type: 'record', trial: TRIAL, seq: 1 }] },
  ];
  return [
    ...drafts.map((draft, index): Statement => ({ id: `s${index + 1}`, standing: 'grounded', ...draft })),
    { id: 's10', about: 'idea', of: '1-1', text: '“the alias is gone”', rests: [], standing: 'hypothesis' },
    {
      id: 's11',
      about: 'facet',
      of: 'f1',
      text: 'Trial x has “42”',
      rests: [{ type: 'record', trial: 'x', seq: 1 }],
      standing: 'not-grounded',
      note: 'there is no trial x',
    },
  ];
}

function sampleRecords(text: string): EvidenceRecord[] {
  const base = { t: 0.5, source: 'supervisor' } as const;
  return [
    { ...base, seq: 1, kind: 'environment', python: '3.11.7', platform: 'Linux', distributions: [{ name: 'numpy', version: '2.3.5' }] },
    { ...base, seq: 6, kind: 'stream', channel: 'stderr', line: text },
    {
      ...base,
      source: 'probe',
      seq: 7,
      kind: 'exception',
      type: 'builtins.AttributeError',
      bases: [],
      message: text,
      notes: [],
      frames: [{ file: 'metrics.py', line: 12, function: 'bleu', code: text, place: 'subject' }],
      causes: [],
      how: 'uncaught',
      raisedIn: 'subject',
    },
    { ...base, seq: 8, kind: 'exit', code: 1, signal: null, wallSeconds: 1.2, cpuSeconds: 1, peakRssBytes: 1, endedBy: 'self' },
  ];
}

/** Material with every part filled; `text` stands wherever evidence or script can put one. */
export function sampleMaterial(verdict: Partial<Verdict> = {}, text = "module 'numpy' has no attribute 'float'"): ResultMaterial {
  return {
    title: 'Training stops',
    verdict: sampleVerdict({ statements: sampleStatements(), ...verdict }),
    excerpts: [
      {
        trial: TRIAL,
        arm: 'candidate',
        facets: [{ id: 'f1', state: 'shown' }],
        recordCount: 9,
        records: sampleRecords(text).map((record, index) => ({ line: index + 1, record })),
      },
      { trial: '0123456789ab-fixed-0', arm: 'fixed', facets: [{ id: 'f1', state: 'absent' }], recordCount: 5, records: [] },
    ],
    scripts: [{ path: 'repro.py', text: `import numpy\n\nnumpy.float\n${text}\n` }],
    commands: ['python @script/repro.py'],
    reportText: 'With numpy, it stops with an AttributeError at the first score.',
    hasClaim: true,
  };
}
