import type { Oracle } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { evaluateException } from './exception.js';
import { evaluateExit } from './exit.js';
import { evaluateHang } from './hang.js';
import { evaluateImport } from './import.js';
import { evaluateNonFinite } from './nonfinite.js';
import { answer, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';
import { evaluateOutput } from './output.js';
import { evaluatePrinted } from './printed.js';
import { evaluateRelation } from './relation.js';
import { evaluateShape } from './shape.js';
import { evaluateWarning } from './warning.js';

/**
 * Evaluates one oracle over one trial's evidence. Kinds of a later version are `undecided` with a note.
 * @throws AppError `oracle-invalid` where a pattern cannot be used
 */
export function evaluateOracle(oracle: Oracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  switch (oracle.kind) {
    case 'exception':
      return evaluateException(oracle, view, options);
    case 'output':
      return evaluateOutput(oracle, view);
    case 'warning':
      return evaluateWarning(oracle, view);
    case 'relation':
      return evaluateRelation(oracle, view);
    case 'printed':
      return evaluatePrinted(oracle, view);
    case 'nonfinite':
      return evaluateNonFinite(oracle, view);
    case 'shape':
      return evaluateShape(oracle, view);
    case 'exit':
      return evaluateExit(oracle, view, options);
    case 'hang':
      return evaluateHang(oracle, view, options);
    case 'import':
      return evaluateImport(oracle, view, options);
    default:
      return answer('undecided', [], `no check of kind ${oracle.kind} exists yet${oracle.note ? `: ${oracle.note}` : ''}`);
  }
}
