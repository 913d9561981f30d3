import type { EvidenceRecord, Trial } from '@reenact/domain';
import { judgeTrial } from '@reenact/verdict';
import type { Bundle, JudgedTrial } from '@reenact/verdict';

/** One trial of a bundle, read with what the bundle says about its subject and its claim. */
export function judgeOne(bundle: Bundle, trial: Trial, records: EvidenceRecord[]): JudgedTrial {
  return judgeTrial(trial, records, bundle.facets, {
    subjectIsLibrary: bundle.subject.address.type === 'distribution',
    readByRules: bundle.claim.madeBy === 'rules',
  });
}
