import type { OracleOf } from '@reenact/domain';
import { answer, type OracleAnswer } from './oracle-answer.js';

/** Always undecided: environments are built before a trial begins, and no record of the trial tells how. */
export function evaluateBuild(oracle: OracleOf<'build'>): OracleAnswer {
  const what = oracle.distribution ?? (oracle.note || 'the installation');
  return answer('undecided', [], `the evidence of a trial does not hold the build of its environment, so that nothing tells of ${what}`);
}
