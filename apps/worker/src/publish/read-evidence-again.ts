import type { AttemptRecord, EvidenceRecord, Explanation, Trial } from '@reenact/domain';
import { excerptRecords } from '@reenact/reporting';
import type { EvidenceExcerpt } from '@reenact/reporting';
import { explain, ledgerTrial } from '@reenact/verdict';
import type { Bundle, LedgerTrial } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readWholeEvidence } from '../evidence.js';
import { judgeOne } from '../judge-one.js';
import type { Best } from './fold-attempts.js';

/** An attempt's trials, read again from the store when its result is published. */
export interface ReadAgain {
  trials: Map<string, LedgerTrial>;
  excerpts: EvidenceExcerpt[];
}

/**
 * Reads the evidence of every trial of an attempt anew and judges each again, so that the result's counts are made twice. One trial
 * after the other, since each may be big; diagnoses are at most three, and are read beside each other. What cannot be read is left out:
 * then sentences that count it are refused.
 */
export async function readEvidenceAgain(deps: Dependencies, bundle: Bundle, best: Best): Promise<ReadAgain> {
  const again: ReadAgain = { trials: new Map(), excerpts: [] };
  const diagnoses: TrialAgain[] = [];
  for (const id of trialIds(best)) {
    const trial = await deps.runs.getTrial(id);
    const records = trial === null || trial.arm === 'coverage' ? null : await readWholeEvidence(deps, trial);
    if (trial === null || records === null) continue;
    if (trial.arm === 'diagnosis') diagnoses.push({ trial, records });
    else keep(again, bundle, { trial, records });
  }
  const told = explain(
    bundle.facets,
    diagnoses.map(({ trial, records }) => ({ trial: trial.id, index: trial.index, records })),
  );
  for (const one of diagnoses) keep(again, bundle, one, ofTrial(told, one.trial.id));
  return again;
}

/** What rests on a trial, with the records of that trial alone. */
function ofTrial(told: readonly Explanation[], trial: string): Explanation[] {
  return told
    .map((one) => ({ ...one, grounding: one.grounding.filter((ground) => ground.trial === trial) }))
    .filter(({ grounding }) => grounding.length > 0);
}

/** All trials of the attempt; of a run that began before they were kept, those that its judgement names. */
function trialIds({ attempt, judgement }: { attempt: AttemptRecord | null; judgement: Best['judgement'] }): string[] {
  const named = [
    ...judgement.candidates,
    ...judgement.controls.flatMap(({ trials }) => trials),
    ...judgement.facets.flatMap(({ grounding }) => grounding.map(({ trial }) => trial)),
  ];
  return [...new Set(attempt?.trials ?? named)];
}

interface TrialAgain {
  trial: Trial;
  records: EvidenceRecord[];
}

function keep(again: ReadAgain, bundle: Bundle, { trial, records }: TrialAgain, told: Explanation[] = []): void {
  const judged = judgeOne(bundle, trial, records);
  const kept = ledgerTrial(judged, records, told);
  again.trials.set(trial.id, kept);
  again.excerpts.push({
    trial: trial.id,
    arm: trial.arm,
    facets: judged.facets.map(({ id, state }) => ({ id, state })),
    recordCount: records.length,
    records: excerptRecords(records, new Set(kept.records.keys())),
  });
}
