import { isAppError } from '@reenact/domain';
import type { ArtifactStore, EvidenceRecord, Trial } from '@reenact/domain';
import type { Dependencies } from './dependencies.js';
import { readEvidence } from '@reenact/sandbox';

/** The checked evidence of a stored trial; empty where the trial did not finish. */
export async function readTrialEvidence(store: ArtifactStore, trial: Pick<Trial, 'evidence'>): Promise<EvidenceRecord[]> {
  return trial.evidence === null ? [] : readEvidence(store.pathOf(trial.evidence));
}

/** The evidence of a stored trial, or null where it is no longer whole: whoever counts on it must then do without. */
export async function readWholeEvidence(deps: Pick<Dependencies, 'artifacts'>, trial: Trial): Promise<EvidenceRecord[] | null> {
  return readTrialEvidence(deps.artifacts, trial).catch((error: unknown) => {
    if (isAppError(error)) return null;
    throw error;
  });
}
