import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { describeException, formsOf, raisedBelow, type ExceptionForm } from '../evidence/exception-form.js';
import { mentionsSentinel } from '../evidence/sentinel.js';
import { containsContentWords } from '../signature/content-words.js';
import { comparableMessage } from '../signature/mask-message.js';
import { lineSimilarity } from '../signature/text-similarity.js';
import { matchType } from './exception.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

const IMPORT_TYPES = ['ImportError', 'ModuleNotFoundError'];

function isImportStatement(code: string): boolean {
  return /^(?:import|from)\s/.test(code.trim()) || /\b(?:import_module|__import__)\s?\(/.test(code);
}

/** Whether the error came while a module was being loaded: import machinery, an import statement or module-level code below one. */
function duringImport(form: ExceptionForm): boolean {
  const innermost = form.frames.at(-1);
  if (!innermost) return false;
  if (isImportStatement(innermost.code ?? '')) return true;
  const loads = form.frames.slice(0, -1).some((frame) => isImportStatement(frame.code ?? '') || frame.file.includes('importlib'));
  return loads && raisedBelow(form.frames) !== 'script';
}

/** Names in quotes tell which module or name is meant: they must be the same. */
function quotedNames(message: string): string[] {
  return (message.match(/['"`‘]([^'"`’]{1,200})['"`’]/g) ?? []).map((name) => name.slice(1, -1)).filter((name) => !/[\\/]/.test(name));
}

function sameImportMessage(message: string, claimed: string): boolean {
  const wanted = quotedNames(claimed);
  const seen = quotedNames(message);
  if (!wanted.every((name) => seen.includes(name))) return false;
  const left = comparableMessage(message).text;
  const right = comparableMessage(claimed).text;
  return left.includes(right) || lineSimilarity(left, right) > 0.8 || (wanted.length > 0 && containsContentWords(message, claimed));
}

/**
 * Shown when loading a module fails with the claimed error. Without a message any missing package of our own environment
 * would do, so that stays undecided.
 */
export function evaluateImport(oracle: OracleOf<'import'>, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  const claimed = oracle.message;
  if (claimed === undefined || claimed.trim() === '') return answer('undecided', [], 'the claim does not tell which import fails');
  const types = oracle.types.length > 0 ? oracle.types : IMPORT_TYPES;
  const forms = view.exceptions
    .filter((record) => !mentionsSentinel(record, options.sentinel ?? ''))
    .flatMap((record) => formsOf(record, view));
  const matching = forms.filter((form) => matchType(form, types) !== 'none' && sameImportMessage(form.message, claimed));
  const shown = matching.find(duringImport);
  if (shown) return answer('shown', [groundedIn(shown.seq, describeException(shown))]);
  const other = matching[0];
  if (other) return answer('collision', [groundedIn(other.seq, describeException(other))], 'the error did not come from an import');
  return withoutSignal(view, answer('absent', []));
}
