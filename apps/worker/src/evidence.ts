import type { ArtifactStore, EvidenceRecord, Trial } from '@reenact/domain';
import { readEvidence } from '@reenact/sandbox';

/** The checked evidence of a stored trial; empty where the trial did not finish. */
export async function readTrialEvidence(store: ArtifactStore, trial: Pick<Trial, 'evidence'>): Promise<EvidenceRecord[]> {
  return trial.evidence === null ? [] : readEvidence(store.pathOf(trial.evidence));
}
