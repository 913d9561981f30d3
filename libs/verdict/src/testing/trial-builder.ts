import type { Arm, EvidenceRecord, Facet } from '@reenact/domain';
import { judgeTrial } from '../verification/judge-trial.js';
import type { JudgedTrial } from '../verification/judged-trial.js';

/** Judges evidence as one finished trial of an arm; tripwire trials have the sentinel `sentinel-1`. */
export function finishedTrial(arm: Arm, index: number, records: readonly EvidenceRecord[], facets: readonly Facet[]): JudgedTrial {
  const sentinel = arm === 'tripwire' ? TEST_SENTINEL : null;
  return judgeTrial({ id: `${arm}-${index}`, arm, index, outcome: 'finished', infraReason: null, sentinel, seconds: 1 }, records, facets);
}

/** A trial that the platform spoiled. */
export function infraTrial(arm: Arm, index: number): JudgedTrial {
  return judgeTrial(
    { id: `${arm}-${index}`, arm, index, outcome: 'infra', infraReason: 'the disk was full', sentinel: null, seconds: 1 },
    [],
    [],
  );
}

export const TEST_SENTINEL = 'sentinel-1';
