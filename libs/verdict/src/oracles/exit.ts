import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { raisedBelow } from '../evidence/exception-form.js';
import { failureOf, lastExits } from '../evidence/failure.js';
import { sentinelException } from '../evidence/sentinel.js';
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

/**
 * Shown when a process of the last step ended by itself as claimed. A status that the script's own error gave, or that a
 * tripwire gave, is another failure.
 */
export function evaluateExit(oracle: OracleOf<'exit'>, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  if (oracle.code === undefined && oracle.signal === undefined) return answer('undecided', [], 'the claim names neither code nor signal');
  if (view.cutBy !== null) return answer('undecided', [], cutNote(view));
  const exits = view.exits.length > 0 ? lastExits(view) : [];
  if (exits.length === 0) return answer('undecided', [], 'the evidence names no process that ended');
  const found = exits.find((exit) => matches(oracle, exit) === (oracle.op === '=='));
  if (!found)
    return answer(
      'absent',
      exits.slice(0, 2).map((exit) => groundedIn(exit.seq, describe(exit))),
    );
  const grounding = [groundedIn(found.seq, describe(found))];
  const tripped = sentinelException(view, options.sentinel);
  if (tripped) return answer('collision', [groundedIn(tripped.seq, 'the tripwire')], 'the status comes from the tripwire');
  const failure = found.code === 0 ? null : failureOf(view);
  if (failure?.raisedIn === 'script' && !handsOn(view, failure.seq))
    return answer('collision', grounding, `raised by the script itself: ${failure.signature}`);
  return answer('shown', grounding);
}
