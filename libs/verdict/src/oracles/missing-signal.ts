import { typeName } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { failureOf } from '../evidence/failure.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';

/** Note for a trial that one of our limits ended. */
export function cutNote(view: EvidenceView): string {
  return view.cutBy === 'hang' ? 'every process was silent and blocked' : `the trial ended by ${view.cutBy ?? 'a limit'}`;
}

/** Whether a limit ended the trial while its script was still at work; after a standstill nothing more would have come. */
export function wasCut(view: EvidenceView): boolean {
  return view.cutBy !== null && view.cutBy !== 'hang';
}

/**
 * The answer where a signal did not come. A limit leaves it open; a failure before it is a collision, and so is a stall;
 * a trial that ran to its end says what `otherwise` says.
 */
export function withoutSignal(view: EvidenceView, otherwise: OracleAnswer): OracleAnswer {
  const failure = failureOf(view);
  // An assertion of the script is its own word on a value that no oracle reads: neither the fault nor another one.
  if (failure?.raisedIn === 'script' && typeName(failure.type) === 'AssertionError')
    return answer('undecided', [groundedIn(failure.seq, failure.signature)], `the script ended by its own assertion: ${failure.signature}`);
  if (failure) {
    const by = failure.raisedIn === 'script' ? ' (raised by the script itself)' : '';
    return answer('collision', [groundedIn(failure.seq, failure.signature)], `another failure came instead: ${failure.signature}${by}`);
  }
  const stall = view.stalls[0];
  if (view.cutBy === 'hang')
    return answer('collision', stall ? [groundedIn(stall.seq, cutNote(view))] : [], `another failure came instead: ${cutNote(view)}`);
  if (view.cutBy !== null) return answer('undecided', [], cutNote(view));
  if (view.exits.length === 0) return answer('undecided', [], 'the evidence names no process that ended');
  return otherwise;
}
