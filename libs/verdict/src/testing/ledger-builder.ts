import type { Arm, EvidenceRecord, Facet, Verdict } from '@reenact/domain';
import { type Ledger, ledgerTrial } from '../grounding/ledger.js';
import type { Judgement, JudgeInput } from '../judgement/judge-input.js';
import { playSeries } from './series.js';
import { finishedTrial } from './trial-builder.js';

/** A result before its sentences were made, and the records that they may rest on. */
export interface PlayedResult {
  verdict: Verdict;
  judgement: Judgement;
  ledger: Ledger;
}

/** Plays a series over evidence by arm and keeps what a published result is checked against. */
export function playResult(
  facets: Facet[],
  evidenceOf: (arm: Arm, index: number) => EvidenceRecord[],
  extra: Partial<JudgeInput> & Partial<Pick<Ledger, 'claim' | 'reportText'>> = {},
): PlayedResult {
  const seen = new Map<string, EvidenceRecord[]>();
  const make = (arm: Arm, index: number) => {
    const records = evidenceOf(arm, index);
    const trial = finishedTrial(arm, index, records, facets);
    seen.set(trial.trial, records);
    return trial;
  };
  const { judgement, finished } = playSeries(facets, make, extra);
  const verdict = verdictOf(judgement);
  const { claim = null, reportText = null, expectedRate = 1 } = extra;
  return {
    verdict,
    judgement,
    ledger: {
      trials: new Map(finished.map((judged) => [judged.trial, ledgerTrial(judged, seen.get(judged.trial) ?? [])])),
      facets,
      expectedRate,
      labels: judgement.controls.map(({ arm, label }) => ({ arm, label })),
      findings: judgement.findings,
      scripts: [],
      environment: { pythonVersion: '3.11.2', distance: extra.environmentDistance ?? [] },
      claim,
      reportText,
      attempts: [],
      judged: judgement,
      run: { trials: finished.length, seconds: 1.5 },
    },
  };
}

function verdictOf(judgement: Judgement): Verdict {
  const { verdict, sentence, rate, grade, gradeReason, depth, facets, controls, findings, reason, trials } = judgement;
  return {
    ...{ verdict, sentence, rate, grade, gradeReason, depth, facets, controls, findings, reason, trials },
    schemaVersion: 1,
    runId: 'r',
    missing: [],
    attempts: [],
    cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    bundle: null,
    environment: null,
    skipped: [],
    seconds: 1.5,
  };
}
