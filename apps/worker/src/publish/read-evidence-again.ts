import type { AttemptRecord, Trial } from '@reenact/domain';
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
 * after the other, since each may be big. What cannot be read is left out: then sentences that count it are refused.
 */
export async function readEvidenceAgain(deps: Dependencies, bundle: Bundle, best: Best): Promise<ReadAgain> {
  const again: ReadAgain = { trials: new Map(), excerpts: [] };
  for (const id of trialIds(best)) {
    const trial = await deps.runs.getTrial(id);
    if (trial !== null && trial.arm !== 'coverage') await addTrial(deps, { bundle, trial, again });
  }
  return again;
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
  bundle: Bundle;
  trial: Trial;
  again: ReadAgain;
}

async function addTrial(deps: Dependencies, { bundle, trial, again }: TrialAgain): Promise<void> {
  const records = await readWholeEvidence(deps, trial);
  if (records === null) return;
  const judged = judgeOne(bundle, trial, records);
  const kept = ledgerTrial(judged, records, trial.arm === 'diagnosis' ? explain(bundle.facets, [{ trial: trial.id, records }]) : []);
  again.trials.set(trial.id, kept);
  again.excerpts.push({
    trial: trial.id,
    arm: trial.arm,
    facets: judged.facets.map(({ id, state }) => ({ id, state })),
    recordCount: records.length,
    records: excerptRecords(records, new Set(kept.records.keys())),
  });
}
