import type { Oracle } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { evaluateException } from './exception.js';
import { evaluateExit } from './exit.js';
import { evaluateHang } from './hang.js';
import { evaluateImport } from './import.js';
import { evaluateNonFinite } from './nonfinite.js';
import type { EvaluationOptions, OracleAnswer } from './oracle-answer.js';
import { evaluateDesync } from './desync.js';
import { evaluateDifferential } from './differential.js';
import { evaluateMemoryPeak } from './memory-peak.js';
import { evaluateNondeterminism } from './nondeterminism.js';
import { evaluateOom } from './oom.js';
import { evaluateRoundtrip } from './roundtrip.js';
import { evaluateTrend } from './trend.js';
import { evaluateSlow } from './slow.js';
import { evaluateDistribution } from './distribution.js';
import { evaluateFile } from './file.js';
import { evaluateBuild } from './build.js';
import { evaluateOutput } from './output.js';
import { evaluatePrinted } from './printed.js';
import { evaluateRelation } from './relation.js';
import { evaluateShape } from './shape.js';
import { evaluateWarning } from './warning.js';

/**
 * Evaluates one oracle over one trial's evidence. What nothing binds to evidence is `undecided`.
 * @throws AppError `oracle-invalid` where a pattern cannot be used
 */
export function evaluateOracle(oracle: Oracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  switch (oracle.kind) {
    case 'exception':
      return evaluateException(oracle, view, options);
    case 'output':
      return evaluateOutput(oracle, view);
    case 'warning':
      return evaluateWarning(oracle, view, options);
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
    case 'desync':
      return evaluateDesync(oracle, view, options);
    case 'differential':
      return evaluateDifferential(oracle, view);
    case 'memory_peak':
      return evaluateMemoryPeak(oracle, view);
    case 'nondeterminism':
      return evaluateNondeterminism(oracle, view);
    case 'oom':
      return evaluateOom(oracle, view, options);
    case 'roundtrip':
      return evaluateRoundtrip(oracle, view);
    case 'trend':
      return evaluateTrend(oracle, view);
    case 'slow':
      return evaluateSlow(oracle, view);
    case 'distribution':
      return evaluateDistribution(oracle, view);
    case 'file':
      return evaluateFile(oracle, view);
    case 'build':
      return evaluateBuild(oracle, view, options);
  }
}
