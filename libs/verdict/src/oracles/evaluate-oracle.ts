import type { Oracle } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { answer, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

/** Evaluates one oracle over one trial. @throws AppError `oracle-invalid` */
export function evaluateOracle(oracle: Oracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  return answer('undecided', [], `${oracle.kind} ${view.records.length} ${options.sentinel ?? ''}`);
}
