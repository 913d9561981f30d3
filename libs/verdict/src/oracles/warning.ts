import { typeName, type EvidenceOf, type OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { sharedTail } from '../signature/frame-match.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';
import { compilePattern, matchesIn, type SafePattern, TEXT_LIMIT } from '../pattern/safe-pattern.js';

/** A line of the script that warns by itself; a warning with a stack level may well point at the script. */
function isOwnWarning(record: EvidenceOf<'warning'>): boolean {
  return record.frame.place === 'script' && /\bwarn(?:_explicit)?\s?\(/.test(record.frame.code ?? '');
}

function matches(oracle: OracleOf<'warning'>, record: EvidenceOf<'warning'>, pattern: SafePattern | null): boolean {
  if (oracle.category !== undefined && typeName(oracle.category) !== typeName(record.category)) return false;
  if (pattern && matchesIn(pattern, record.message, TEXT_LIMIT).length === 0) return false;
  return oracle.file === undefined || sharedTail(oracle.file, record.frame.file) > 0;
}

/** Whether the warning points at a line of the subject: any other line may have been reached by the script alone. */
function isInSubject(record: EvidenceOf<'warning'>, options: EvaluationOptions): boolean {
  return record.frame.place === 'subject' || (options.subjectIsLibrary === true && record.frame.place === 'dependency');
}

/** Shown when the probe recorded the warning and the script did not issue it by itself. */
export function evaluateWarning(oracle: OracleOf<'warning'>, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  if (oracle.category === undefined && oracle.pattern === undefined)
    return answer('undecided', [], 'the claim names neither category nor text of the warning');
  const pattern = oracle.pattern === undefined ? null : compilePattern(oracle.pattern, 's');
  const found = view.warnings.filter((record) => matches(oracle, record, pattern));
  const grounding = (record: EvidenceOf<'warning'>) => [groundedIn(record.seq, `${typeName(record.category)}: ${record.message}`)];
  const inSubject = found.find((record) => isInSubject(record, options));
  if (inSubject) return answer('shown', grounding(inSubject));
  const shown = found.find((record) => !isOwnWarning(record));
  if (shown) return { ...answer('shown', grounding(shown)), needsControl: 'the warning points at no line of the subject' };
  const own = found[0];
  if (own) return answer('collision', grounding(own), 'the script itself warns');
  if (!view.probeAlive) return answer('undecided', [], 'no probe ran in the interpreter, so that warnings were not recorded');
  return withoutSignal(view, answer('absent', []));
}
