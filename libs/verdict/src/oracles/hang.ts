import { isTeardown, type EvidenceOf, type OracleOf } from '@reenact/domain';
import { locateBlocked, type BlockedProcess } from '../evidence/blocked-process.js';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { describeException, raisedBelow } from '../evidence/exception-form.js';
import { sentinelException } from '../evidence/sentinel.js';
import { comparableMessage } from '../signature/mask-message.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

type HangOracle = OracleOf<'hang'>;

const TIMED_OUT = /tim(?:ed|e)[ -]?out/i;
const COLLECTIVE =
  /all_?reduce|all_?gather|all_?to_?all|reduce_?scatter|broadcast|barrier|\brecv\b|\bsend\b|collective|unbound buffer|watchdog/i;
/** How many of the last lines of a stream may be the claimed one: peers go on printing for a moment. */
const LAST_LINES = 8;

function describePlace(process: BlockedProcess): string {
  const who = process.rank === undefined ? `process ${process.pid}` : `rank ${process.rank}`;
  return process.at ? `${who} at ${process.at.file}${process.at.function ? `:${process.at.function}` : ''}` : who;
}

function printedBefore(lastLine: string, view: EvidenceView): boolean {
  const wanted = comparableMessage(lastLine).text;
  if (wanted === '') return true;
  return view.streams.some((stream) =>
    stream.lines.slice(-LAST_LINES).some((record) => comparableMessage(record.line).text.includes(wanted)),
  );
}

/**
 * The processes that are stuck in the subject. A launcher counts only where its children stand in no code of their own,
 * such as a queue that nobody empties at exit: then its wait for them is the deadlock.
 */
function stuckBelowSubject(processes: readonly BlockedProcess[]): BlockedProcess[] {
  const below = processes.filter((process) => process.place === 'below-subject');
  if (below.length > 0 || processes.some((process) => process.place === 'script')) return below;
  const childrenUnknown = processes.some((process) => process.place === 'unknown' && process.at !== null);
  return childrenUnknown ? processes.filter((process) => process.place === 'launcher' && process.own === 'subject') : [];
}

function judgeStall(oracle: HangOracle, stall: EvidenceOf<'stall'>, view: EvidenceView): OracleAnswer {
  const processes = stall.blocked.map((blocked) => locateBlocked(blocked, stall, view));
  const below = stuckBelowSubject(processes);
  if (below.length === 0) {
    const script = processes.find((process) => process.place === 'script');
    if (script) return answer('collision', [groundedIn(stall.seq, describePlace(script))], 'the script itself sleeps or waits');
    return answer('undecided', [groundedIn(stall.seq, 'stall')], 'no stack tells where the silent processes are blocked');
  }
  const grounding = [groundedIn(stall.seq, `silent for ${stall.silentSeconds} s: ${below.map(describePlace).join(', ')}`)];
  if (stall.silentSeconds < oracle.silentSeconds)
    return answer('undecided', grounding, `silent for ${stall.silentSeconds} s, the claim asks for ${oracle.silentSeconds}`);
  if (oracle.lastLine !== undefined && !printedBefore(oracle.lastLine, view))
    return answer('collision', grounding, 'it hangs, but not after the line that the report shows');
  const peers = stall.elsewhere.map((peer) => `${peer.rank === undefined ? `process ${peer.pid}` : `rank ${peer.rank}`} ${peer.state}`);
  return answer('shown', grounding, peers.length > 0 ? `meanwhile ${peers.join(', ')}` : undefined);
}

/** A collective that gives up waiting is the same hang in another form (verdict.md section 4). */
function collectiveTimeout(view: EvidenceView): EvidenceOf<'exception'> | undefined {
  return view.exceptions.find(
    (exception) =>
      !isTeardown(exception) &&
      TIMED_OUT.test(exception.message) &&
      COLLECTIVE.test(exception.message) &&
      raisedBelow(exception.frames) === 'subject',
  );
}

/**
 * Shown when every process was silent for as long as asked and one of them was blocked in the subject or below it. A
 * process that waits for its children is not the blocked one; the script's own sleep is another failure.
 */
export function evaluateHang(oracle: HangOracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  const tripped = sentinelException(view, options.sentinel);
  if (tripped) return answer('collision', [groundedIn(tripped.seq, 'the tripwire')], 'the tripwire ended a process');
  const stall = view.stalls.at(-1);
  if (stall) return judgeStall(oracle, stall, view);
  const timeout = collectiveTimeout(view);
  if (timeout) return answer('shown', [groundedIn(timeout.seq, describeException(timeout))], 'seen as the time-out of a collective');
  if (view.cutBy === 'hang') return answer('undecided', [], 'the trial was ended as hung, and no stall was recorded');
  return withoutSignal(
    view,
    answer(
      'absent',
      view.exits.slice(0, 1).map((exit) => groundedIn(exit.seq, `ended by itself, exit status ${exit.code ?? 'unknown'}`)),
    ),
  );
}
