import type { EvidenceRecord } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { evaluateOracle } from '../oracles/evaluate-oracle.js';
import type { EvaluationOptions, OracleAnswer } from '../oracles/oracle-answer.js';

/** Evaluates an oracle as it is written by hand, with the defaults of its schema, over the records of one trial. */
export function ask(oracle: unknown, records: readonly EvidenceRecord[], options: EvaluationOptions = {}): OracleAnswer {
  return evaluateOracle(Oracle.parse(oracle), createEvidenceView(records), options);
}
