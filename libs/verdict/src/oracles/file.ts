import type { OracleOf } from '@reenact/domain';
import { answer, type OracleAnswer } from './oracle-answer.js';

/** Always undecided: no record of a trial tells yet what is in the files that it leaves. */
export function evaluateFile(oracle: OracleOf<'file'>): OracleAnswer {
  const what = oracle.path ?? (oracle.note || 'a file');
  return answer('undecided', [], `the evidence of a trial does not hold the files that it leaves, so that nothing tells of ${what}`);
}
