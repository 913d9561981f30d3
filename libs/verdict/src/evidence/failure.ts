import type { EvidenceOf } from '@reenact/domain';
import { describeException } from './exception-form.js';
import type { EvidenceView } from './evidence-view.js';
import { endedInError, rootEvent, type Failure } from './root-event.js';
import { readTracebacks } from './traceback-text.js';

/** First-level processes of the last step that ran: a step that fails is the last one, unless the launch goes on. */
export function lastExits(view: EvidenceView): readonly EvidenceOf<'exit'>[] {
  const last = Math.max(...view.exits.map((exit) => exit.step ?? 0));
  return view.exits.filter((exit) => (exit.step ?? 0) === last);
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

/** The first failure that is no consequence of another, or null where every process ended as its script meant. */
export function failureOf(view: EvidenceView): Failure | null {
  const root = rootEvent(view);
  if (root) return root;
  if (!endedInError(view)) return null;
  const printed = printedTracebacks(view).at(-1);
  return printed
    ? {
        signature: `${describeException(printed)} (text only)`,
        type: printed.type,
        seq: printed.seq,
        raisedIn: 'outside',
        isException: true,
      }
    : null;
}
