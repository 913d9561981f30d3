import { faultSignal, type EvidenceOf, type OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { raisedBelow } from '../evidence/exception-form.js';
import { failureOf, lastExits } from '../evidence/failure.js';
import { describeNativeEnd, nativeEnds, type NativeEnd } from '../evidence/native-end.js';
import { sentinelException } from '../evidence/sentinel.js';
import { matchNative } from '../signature/native-match.js';
import { cutNote } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

/** Numbers of the signals that end a program by a fault of its own (Linux, signal(7)). */
const SIGNAL_NUMBERS: Record<string, number> = { ILL: 4, TRAP: 5, ABRT: 6, BUS: 7, FPE: 8, KILL: 9, SEGV: 11, PIPE: 13, TERM: 15 };

function plainSignal(signal: string): string {
  return signal.toUpperCase().replace(/^SIG/, '');
}

/** A shell reports a signal as 128 + its number, Python as its negative. */
function endedBySignal(exit: EvidenceOf<'exit'>, wanted: string): boolean {
  if (exit.signal !== null) return plainSignal(exit.signal) === plainSignal(wanted);
  const number = SIGNAL_NUMBERS[plainSignal(wanted)];
  return number !== undefined && exit.code === 128 + number;
}

function matches(oracle: OracleOf<'exit'>, exit: EvidenceOf<'exit'>): boolean {
  const codeHolds =
    oracle.code === undefined || exit.code === oracle.code || (exit.signal !== null && endsAsCode(exit.signal, oracle.code));
  return codeHolds && (oracle.signal === undefined || endedBySignal(exit, oracle.signal));
}

function endsAsCode(signal: string, code: number): boolean {
  const number = SIGNAL_NUMBERS[plainSignal(signal)];
  return number !== undefined && (code === 128 + number || code === -number);
}

function describe(exit: EvidenceOf<'exit'>): string {
  return exit.signal === null ? `exit status ${exit.code ?? 'unknown'}` : `ended by ${exit.signal}`;
}

/** Whether the script's own exception only wraps one that the subject raised: `raise … from error`. */
function handsOn(view: EvidenceView, seq: number): boolean {
  const own = view.exceptions.find((exception) => exception.seq === seq);
  return own?.causes.some((cause) => raisedBelow(cause.frames) === 'subject') === true;
}

/** Whose fault the end is, where a dump tells: a library's C code has no frame of its own. */
function isByScript(end: NativeEnd, options: EvaluationOptions): boolean {
  return options.subjectIsLibrary !== true && raisedBelow(end.frames ?? []) === 'script';
}

/** What came is compared with all that the claim tells: another native failure may end in the same signal. */
function judgeNative(oracle: OracleOf<'exit'>, end: NativeEnd, options: EvaluationOptions): OracleAnswer {
  const told = describeNativeEnd(end);
  const grounding = [groundedIn(end.seq, told)];
  const match = matchNative(oracle, end);
  if (match === 'other') return answer('collision', grounding, `another native failure came instead: ${told}`);
  if (isByScript(end, options)) return answer('collision', grounding, `raised by the script itself: ${told}`);
  if (match === 'unknown') return answer('undecided', grounding, 'neither native words nor frames tell whether it is the claimed failure');
  return answer('shown', grounding);
}

/** A process that the script started ended as claimed; its dump has to lead into the subject, as no status is known. */
function judgeChild(oracle: OracleOf<'exit'>, view: EvidenceView, options: EvaluationOptions): OracleAnswer | null {
  const wanted = oracle.signal === undefined ? null : faultSignal(oracle.signal.toUpperCase().replace(/^(?:SIG)?/, 'SIG'));
  if (wanted === null || oracle.op !== '==') return null;
  const children = nativeEnds(view).filter((end) => !end.isFirstLevel && end.signal === wanted);
  const answers = children.map((end): OracleAnswer => {
    const judged = judgeNative(oracle, end, options);
    const isBelow = raisedBelow(end.frames ?? []) === 'subject' || options.subjectIsLibrary === true;
    return judged.state === 'shown' && !isBelow
      ? { ...judged, state: 'undecided', note: 'no frame of the subject tells whose fault it is' }
      : judged;
  });
  const best = (['shown', 'undecided', 'collision'] as const).map((state) => answers.find((one) => one.state === state)).find(Boolean);
  return best ? { ...best, note: best.note ?? 'in a process that the script started' } : null;
}

/** First-level processes of the last step whose end is their own: peers that were ended after another one tell nothing. */
function ownExits(view: EvidenceView): readonly EvidenceOf<'exit'>[] {
  const exits = view.exits.length > 0 ? lastExits(view) : [];
  const own = exits.filter((exit) => exit.endedBy !== 'peer');
  return own.length > 0 ? own : exits;
}

/**
 * Shown when a process of the last step ended by itself as claimed, or one that it started did so by a fatal signal. A
 * status that the script's own error gave, or that a tripwire gave, is another failure; so is a signal with other native
 * words or frames than the claim has.
 */
export function evaluateExit(oracle: OracleOf<'exit'>, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  if (oracle.code === undefined && oracle.signal === undefined) return answer('undecided', [], 'the claim names neither code nor signal');
  if (view.cutBy !== null) return answer('undecided', [], cutNote(view));
  const exits = ownExits(view);
  if (exits.length === 0) return answer('undecided', [], 'the evidence names no process that ended');
  const found = exits.find((exit) => matches(oracle, exit) === (oracle.op === '=='));
  const tripped = sentinelException(view, options.sentinel);
  if (!found) {
    const child = tripped === null ? judgeChild(oracle, view, options) : null;
    const seen = exits.slice(0, 2).map((exit) => groundedIn(exit.seq, describe(exit)));
    return child ?? answer('absent', seen);
  }
  if (tripped) return answer('collision', [groundedIn(tripped.seq, 'the tripwire')], 'the status comes from the tripwire');
  return judgeFound(oracle, found, { view, options });
}

function judgeFound(
  oracle: OracleOf<'exit'>,
  found: EvidenceOf<'exit'>,
  { view, options }: { view: EvidenceView; options: EvaluationOptions },
): OracleAnswer {
  const grounding = [groundedIn(found.seq, describe(found))];
  const failure = found.code === 0 ? null : failureOf(view);
  if (failure?.raisedIn === 'script' && failure.isException && !handsOn(view, failure.seq))
    return answer('collision', grounding, `raised by the script itself: ${failure.signature}`);
  const end = oracle.op === '==' ? nativeEnds(view).find((one) => one.seq === found.seq) : undefined;
  if (end) return judgeNative(oracle, end, options);
  // A status stands for the signal; a child's dump tells more than the status does.
  const child = judgeChild(oracle, view, options);
  if (child) return child;
  const tellsMore = oracle.message !== undefined || (oracle.frames ?? []).length > 0;
  return tellsMore ? answer('undecided', grounding, 'nothing but the status tells of the end') : answer('shown', grounding);
}
