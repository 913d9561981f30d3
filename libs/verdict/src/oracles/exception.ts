import { isCascade, isLauncherType, isTeardown, typeName, type EvidenceOf, type OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { describeException, formsOf, raisedBelow, type ExceptionForm } from '../evidence/exception-form.js';
import { printedTracebacks } from '../evidence/failure.js';
import { failureEvents } from '../evidence/root-event.js';
import { nativeEnds } from '../evidence/native-end.js';
import { mentionsSentinel } from '../evidence/sentinel.js';
import { readTracebacks } from '../evidence/traceback-text.js';
import { goesThrough, isPartOfStack, matchFrames } from '../signature/frame-match.js';
import { matchMessage } from '../signature/message-match.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

type ExceptionOracle = OracleOf<'exception'>;

/** Supertypes that say nothing: every error has them. They match only by their own name. */
const ROOT_TYPES = new Set(['Exception', 'BaseException', 'object']);

/** Names of one type in other versions of Python and of libraries (PEP 3151; jaxlib 0.4.34). */
const SAME_TYPES: Readonly<Record<string, string>> = {
  IOError: 'OSError',
  EnvironmentError: 'OSError',
  WindowsError: 'OSError',
  XlaRuntimeError: 'JaxRuntimeError',
};

function plainType(type: string): string {
  const name = typeName(type);
  return SAME_TYPES[name] ?? name;
}

/** `own`: the claimed name itself; `base`: a named supertype; `unclaimed`: any type will do. */
export function matchType(
  form: { type: string; bases: readonly string[] },
  claimed: readonly string[],
): 'own' | 'base' | 'unclaimed' | 'none' {
  if (claimed.length === 0) return 'unclaimed';
  const wanted = claimed.map(plainType);
  if (wanted.includes(plainType(form.type))) return 'own';
  const bases = form.bases.map(plainType).filter((base) => !ROOT_TYPES.has(base));
  return wanted.some((name) => bases.includes(name)) ? 'base' : 'none';
}

/** Whether type, message, frames and path of one form are the claimed ones, wherever it was raised. */
function hasSignature(form: Omit<ExceptionForm, 'how' | 'form'>, oracle: ExceptionOracle): boolean {
  const type = matchType(form, oracle.types);
  if (type === 'none') return false;
  const message = oracle.message ? matchMessage(form.message, oracle.message) : null;
  if (message === 'none') return false;
  const frames = matchFrames(oracle.frames, form.frames);
  if (frames === 'none') return false;
  // A single frame of several, or a message that is only similar, needs the other parts to be exact.
  if (frames === 'weak' && message !== 'equal') return false;
  if (message === 'similar' && (type !== 'own' || frames === 'weak')) return false;
  return oracle.through.length === 0 || oracle.through.some((name) => goesThrough(name, form.frames));
}

/** Peer aborts and launchers' errors are consequences of a root in another process; the claim may name the root only. */
function isConsequence(form: ExceptionForm, view: EvidenceView): boolean {
  if (form.form !== 'recorded' || !isCascade(form)) return false;
  // A status is seen only after the process is gone, when its peers may have noticed already.
  return failureEvents(view).some((root) => root.role === 'root' && root.pid !== form.pid && (root.t <= form.t || !root.isException));
}

/** Whether the subject, or what it called, raised it: a library as subject may have no frame of its own. */
export function isOwnOfSubject(form: ExceptionForm, options: EvaluationOptions): boolean {
  const origin = raisedBelow(form.frames);
  if (origin === 'subject') return true;
  const innermost = form.frames.at(-1)?.place;
  return options.subjectIsLibrary === true && innermost === 'dependency';
}

function hasNoConstraint(oracle: ExceptionOracle): boolean {
  return (
    oracle.types.every((type) => ROOT_TYPES.has(typeName(type))) &&
    !oracle.message &&
    oracle.frames.length === 0 &&
    oracle.through.length === 0
  );
}

/** An end below Python in the form of an exception: a fatal error of the interpreter, or a C++ exception that nobody caught. */
function nativeForms(view: EvidenceView): ExceptionForm[] {
  return nativeEnds(view).map((end) => ({
    seq: end.seq,
    t: end.t,
    pid: end.pid,
    rank: end.rank,
    type: end.type ?? 'Fatal Python error',
    bases: [],
    message: end.message,
    frames: end.frames ?? [],
    how: 'uncaught',
    form: 'recorded',
  }));
}

/** The records that carry the claimed signature, split by whose code raised them. */
function signatureMatches(
  oracle: ExceptionOracle,
  view: EvidenceView,
  options: EvaluationOptions,
): { below: ExceptionForm[]; byScript: ExceptionForm[] } {
  const sentinel = options.sentinel ?? '';
  const judged = view.exceptions.filter((record: EvidenceOf<'exception'>) => !isTeardown(record) && !mentionsSentinel(record, sentinel));
  const forms = [...judged.flatMap((record) => formsOf(record, view)), ...nativeForms(view)];
  const matching = forms.filter((form) => !isConsequence(form, view) && hasSignature(form, oracle));
  return {
    below: matching.filter((form) => isOwnOfSubject(form, options)),
    byScript: matching.filter((form) => !isOwnOfSubject(form, options)),
  };
}

/**
 * A traceback that is only text proves nothing: a script can print any. Where the probe ran it would have recorded a real
 * one, so the text is the script's own; where it did not run, nobody knows.
 */
function answerByTextOnly(oracle: ExceptionOracle, view: EvidenceView): OracleAnswer | null {
  const printed = printedTracebacks(view).find((one) =>
    hasSignature({ ...one, bases: [], t: 0, pid: undefined, rank: undefined }, { ...oracle, through: [] }),
  );
  if (!printed || view.exceptions.length > 0) return null;
  const grounding = [groundedIn(printed.seq, describeException(printed))];
  if (!view.probeAlive) return answer('undecided', grounding, 'the error is only text on a stream, and no probe ran in its interpreter');
  const state = view.exits.some((exit) => exit.code !== 0) ? 'collision' : 'absent';
  return answer(state, grounding, 'the error was printed, and no interpreter of the trial raised it');
}

/** A claim that quotes a launcher's error means what its child raised; that is what the quoted traceback ends with. */
function rootClaim(oracle: ExceptionOracle): ExceptionOracle {
  if (oracle.types.length === 0 || !oracle.types.every(isLauncherType) || !oracle.message) return oracle;
  const inner = readTracebacks(oracle.message.text).at(-1);
  return inner ? { ...oracle, types: [inner.type], message: { text: inner.message, match: oracle.message.match } } : oracle;
}

/** Whether the failure came while a file of the subject was imported: no call of the script brought an input there. */
function cameByImport(form: ExceptionForm): boolean {
  return form.frames.find((frame) => frame.place === 'subject')?.function === '<module>';
}

/** Why a match is not the claimed failure itself without a control, or null. */
function weaknessOf(oracle: ExceptionOracle, form: ExceptionForm): string | null {
  // Type and message alone are those of many wrong inputs: a project that rightly refuses one says the same.
  const namesPath = oracle.frames.length > 0 || oracle.through.length > 0;
  if (!namesPath && !cameByImport(form)) return 'the claim names no call on the way to the failure';
  return isPartOfStack(oracle.frames, form.frames) ? 'only the end of the reported stack was reached' : null;
}

/** Shown when an exception with the claimed signature was raised in the subject or below it (verdict.md section 4). */
export function evaluateException(claimed: ExceptionOracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  const oracle = rootClaim(claimed);
  if (hasNoConstraint(oracle)) return answer('undecided', [], 'the claim names neither type, message nor frame of the error');
  const { below, byScript } = signatureMatches(oracle, view, options);
  const shown = below.find((form) => weaknessOf(oracle, form) === null) ?? below[0];
  if (shown) {
    const found = answer('shown', [groundedIn(shown.seq, describeException(shown))]);
    const needsControl = weaknessOf(oracle, shown);
    return needsControl === null ? found : { ...found, needsControl };
  }
  const own = byScript[0];
  if (own)
    return answer('collision', [groundedIn(own.seq, describeException(own))], `raised by the script itself: ${describeException(own)}`);
  const byText = answerByTextOnly(oracle, view);
  if (byText) return byText;
  const voided = view.voidExceptions.length > 0 ? 'the probe tells of an exception that the exit status contradicts' : undefined;
  return withoutSignal(view, answer('absent', [], voided));
}
