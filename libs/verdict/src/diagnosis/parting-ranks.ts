import type { EvidenceRecord } from '@reenact/domain';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { evaluateCollectives } from '../oracles/desync-collectives.js';
import { evaluateParameters } from '../oracles/desync-parameters.js';
import type { OracleAnswer } from '../oracles/oracle-answer.js';
import type { TrialExplanation } from './trial-explanation.js';

function ofShown({ state, note, grounding }: OracleAnswer): TrialExplanation | null {
  return state === 'shown' && note !== undefined ? { text: note, grounding } : null;
}

/** Where the ranks part in their order of collectives; null where they do not, or where that cannot be told. */
export function partingCollectives(records: readonly EvidenceRecord[]): TrialExplanation | null {
  return ofShown(evaluateCollectives({}, createEvidenceView(records), {}));
}

/** After which update, and in which parameter first, ranks differ; null where they do not, or where that cannot be told. */
export function partingParameters(records: readonly EvidenceRecord[]): TrialExplanation | null {
  return ofShown(evaluateParameters({}, createEvidenceView(records)));
}
