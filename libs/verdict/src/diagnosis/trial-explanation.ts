import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import type { TrialGrounding } from '../oracles/oracle-answer.js';

/** What one diagnostic trial says about a symptom, in one sentence, and the records that it rests on. */
export interface TrialExplanation {
  text: string;
  grounding: TrialGrounding[];
}

/** Records of one kind, in their order. */
export function recordsOf<K extends EvidenceRecord['kind']>(records: readonly EvidenceRecord[], kind: K): EvidenceOf<K>[] {
  return records.filter((record): record is EvidenceOf<K> => record.kind === kind);
}
