import type { EvidenceOf } from '@reenact/domain';
import { describeException, isCascade, isTeardown, raisedBelow } from './exception-form.js';
import type { EvidenceView } from './evidence-view.js';
import { readTracebacks } from './traceback-text.js';

/** What ended a trial otherwise than its script meant: the root, never a consequence of it. */
export interface Failure {
  signature: string;
  type: string;
  seq: number;
  raisedIn: 'subject' | 'script' | 'outside';
}

/** First-level processes of the last step that ran: a step that fails is the last one, unless the launch goes on. */
export function lastExits(view: EvidenceView): readonly EvidenceOf<'exit'>[] {
  const last = Math.max(...view.exits.map((exit) => exit.step ?? 0));
  return view.exits.filter((exit) => (exit.step ?? 0) === last);
}

/** Whether a first-level process ended with a status other than 0 or by a signal. */
export function endedInError(view: EvidenceView): boolean {
  return view.exits.some((exit) => exit.signal !== null || (exit.code !== null && exit.code !== 0));
}

/** Exceptions that are roots: the earliest first, consequences of an earlier one in another process left out. */
export function rootExceptions(view: EvidenceView): EvidenceOf<'exception'>[] {
  const ordered = view.exceptions
    .filter((exception) => !isTeardown(exception))
    .toSorted((left, right) => left.t - right.t || left.seq - right.seq);
  const roots = ordered.filter((exception) => !isCascade(exception));
  return roots.length > 0 ? roots : ordered.slice(0, 1);
}

/** Tracebacks that appear as text on a stream, with the record that ends them. */
export function printedTracebacks(
  view: EvidenceView,
): { seq: number; type: string; message: string; frames: ReturnType<typeof readTracebacks>[number]['frames'] }[] {
  return view.streams.flatMap((stream) => {
    const seq = stream.lines.at(-1)?.seq ?? 0;
    return readTracebacks(stream.lines.map((record) => record.line).join('\n')).map((printed) => ({ seq, ...printed }));
  });
}

function failureByException(view: EvidenceView): Failure | null {
  const failed = endedInError(view);
  // What was caught and printed is a failure only where the trial ended in error as well.
  const root = rootExceptions(view).find((exception) => exception.how !== 'reported' || failed);
  return root ? { signature: describeException(root), type: root.type, seq: root.seq, raisedIn: raisedBelow(root.frames) } : null;
}

/** The first failure that is no consequence of another, or null where every process ended as its script meant. */
export function failureOf(view: EvidenceView): Failure | null {
  const byException = failureByException(view);
  if (byException) return byException;
  const bySignal = view.exits.find((exit) => exit.signal !== null && (exit.endedBy === 'self' || exit.endedBy === 'peer'));
  if (bySignal)
    return {
      signature: `ended by ${bySignal.signal ?? 'a signal'}`,
      type: bySignal.signal ?? 'signal',
      seq: bySignal.seq,
      raisedIn: 'outside',
    };
  if (!endedInError(view)) return null;
  const printed = printedTracebacks(view).at(-1);
  return printed
    ? { signature: `${describeException(printed)} (text only)`, type: printed.type, seq: printed.seq, raisedIn: 'outside' }
    : null;
}
