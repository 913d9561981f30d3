import type { EvidenceRecord, Facet, Trial } from '@reenact/domain';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { evaluateFacet } from '../oracles/evaluate-facet.js';
import type { JudgedTrial } from './judged-trial.js';

/** Reads one trial's evidence into what planner and judge see of it. `records` is empty where the trial did not finish. */
export function judgeTrial(
  trial: Pick<Trial, 'id' | 'arm' | 'index' | 'outcome' | 'infraReason' | 'sentinel'>,
  records: readonly EvidenceRecord[],
  facets: readonly Facet[],
  options: { subjectIsLibrary?: boolean } = {},
): JudgedTrial {
  const view = createEvidenceView(records);
  return {
    trial: trial.id,
    arm: trial.arm,
    index: trial.index,
    outcome: trial.outcome,
    infraReason: trial.infraReason,
    sentinelSeen: null,
    facets: facets.map((facet) => ({ id: facet.id, ...evaluateFacet(facet, view, options) })),
    facts: null,
  };
}
