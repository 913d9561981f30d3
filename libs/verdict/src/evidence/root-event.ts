import { faultSignal, isCascade, isLauncherType, isTeardown, tellsOfLostChild, type EvidenceOf } from '@reenact/domain';
import { describeException, raisedBelow } from './exception-form.js';
import type { EvidenceView } from './evidence-view.js';
import { describeNativeEnd, endTime, nativeEnds } from './native-end.js';

/** What ended a trial otherwise than its script meant: the root, never a consequence of it. */
export interface Failure {
  signature: string;
  type: string;
  seq: number;
  raisedIn: 'subject' | 'script' | 'outside';
  /** An exception of Python, not a signal or a status. */
  isException: boolean;
}

/** One thing that went wrong in one process of a trial. */
export interface FailureEvent extends Failure {
  t: number;
  pid: number | undefined;
  /**
   * `root`: it may be where all began. `loss`: it tells that a process that it started is gone. `cascade`: it tells that a
   * peer is gone, or passes on what a child raised. `ended`: somebody else ended it.
   */
  role: 'root' | 'loss' | 'cascade' | 'ended';
}

/** Whether a first-level process ended with a status other than 0 or by a signal. */
export function endedInError(view: EvidenceView): boolean {
  return view.exits.some((exit) => exit.signal !== null || (exit.code !== null && exit.code !== 0));
}

function roleOfException(exception: EvidenceOf<'exception'>): FailureEvent['role'] {
  if (isCascade(exception)) return 'cascade';
  return tellsOfLostChild(exception) ? 'loss' : 'root';
}

function exceptionEvents(view: EvidenceView): FailureEvent[] {
  const failed = endedInError(view);
  // What was caught and printed is a failure only where the trial ended in error as well.
  const judged = view.exceptions.filter((exception) => !isTeardown(exception) && (exception.how !== 'reported' || failed));
  return judged.map((exception) => ({
    signature: describeException(exception),
    type: exception.type,
    seq: exception.seq,
    t: exception.t,
    pid: exception.pid,
    raisedIn: raisedBelow(exception.frames),
    isException: true,
    role: roleOfException(exception),
  }));
}

function nativeEvents(view: EvidenceView): FailureEvent[] {
  return nativeEnds(view).map((end) => ({
    signature: describeNativeEnd(end),
    type: end.type ?? end.signal,
    seq: end.seq,
    t: end.t,
    pid: end.pid,
    raisedIn: raisedBelow(end.frames ?? []),
    isException: false,
    role: 'root',
  }));
}

/** Signals by which launchers, schedulers and people end a process (signal(7)). */
const SENT = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']);

/** Ends of first-level processes that no exception of theirs explains. */
function exitEvents(view: EvidenceView): FailureEvent[] {
  return view.exits.flatMap((exit): FailureEvent[] => {
    if (exit.endedBy !== 'self' && exit.endedBy !== 'peer') return [];
    const isPlainStatus = exit.signal === null;
    if ((isPlainStatus && (exit.code ?? 0) === 0) || (exit.signal !== null && exit.endedBy === 'self' && faultSignal(exit.signal)))
      return [];
    if (isPlainStatus && view.exceptions.some((exception) => exception.pid === exit.pid)) return [];
    const sent = exit.endedBy === 'peer' || (exit.signal !== null && SENT.has(exit.signal));
    const signature = exit.signal === null ? `exit status ${exit.code ?? 'unknown'}` : `ended by ${exit.signal}`;
    const common = { seq: exit.seq, t: endTime(exit, view), pid: exit.pid, raisedIn: 'outside', isException: false } as const;
    return [{ ...common, signature, type: exit.signal ?? 'exit', role: sent ? 'ended' : 'root' }];
  });
}

/** What torch's launcher tells of the worker that failed first (torch/distributed/elastic/multiprocessing/errors). */
const FIRST_WORKER =
  /Root Cause \(first observed failure\):[\s\S]{0,400}?\n\s{0,8}rank {1,12}: (\d{1,6}) [^\n]{0,60}\n\s{0,8}exitcode {1,12}: (-?\d{1,6}) /;

/** Workers that left nothing else of their end than the status that their launcher tells. 1 is what every exception gives. */
function toldEvents(view: EvidenceView): FailureEvent[] {
  return view.exceptions.flatMap((exception): FailureEvent[] => {
    const [, rank = '', code = '1'] = FIRST_WORKER.exec(exception.message.slice(0, 8_192)) ?? [];
    if (!isLauncherType(exception.type) || code === '1') return [];
    const status = Number(code) < 0 ? `ended by ${faultSignal(String(-Number(code))) ?? `signal ${-Number(code)}`}` : `exit status ${code}`;
    const common = { seq: exception.seq, t: exception.t, pid: undefined, raisedIn: 'outside', isException: false } as const;
    return [{ ...common, signature: `${status} of rank ${rank}, as its launcher tells`, type: 'exit', role: 'root' }];
  });
}

/** Whether a process waits for another one, by itself or through processes between them. */
function isAncestor(pid: number | undefined, of: number | undefined, view: EvidenceView): boolean {
  let at = of;
  for (let steps = 0; at !== undefined && steps < 64; steps += 1) {
    const parent: number | undefined = view.parents.get(at);
    if (parent !== undefined && parent === pid) return true;
    at = parent === at ? undefined : parent;
  }
  return false;
}

function isPlainExit(event: FailureEvent): boolean {
  return event.type === 'exit';
}

/**
 * Everything that went wrong in a trial, in order of time: exceptions, ends by a fatal signal, statuses that no exception
 * explains. A status that only one process of several has, or that a parent has after its child failed, follows from that.
 */
export function failureEvents(view: EvidenceView): FailureEvent[] {
  const events = [...exceptionEvents(view), ...nativeEvents(view), ...exitEvents(view), ...toldEvents(view)];
  return events.toSorted((left, right) => left.t - right.t || left.seq - right.seq);
}

/**
 * Where a trial's failure began: the earliest event that is no consequence of another one. Peers that lose their
 * connection, launchers that report a child, processes that a launcher ends and loaders that lost a worker follow from the
 * root (verdict.md section 4). A mere status is a root only where others follow from it: alone it is what the script meant.
 */
export function rootEvent(view: EvidenceView): FailureEvent | null {
  const events = failureEvents(view);
  const roots = events.filter((event) => event.role === 'root');
  const told = roots.filter((event) => !isPlainExit(event));
  const statuses = roots.filter(
    (event) =>
      isPlainExit(event) &&
      events.some((other) => other.role !== 'root') &&
      !events.some((other) => isAncestor(event.pid, other.pid, view)),
  );
  const first = [...told, ...statuses].toSorted((left, right) => left.t - right.t || left.seq - right.seq)[0];
  const rest = events.filter((event) => !isPlainExit(event));
  const order = ['loss', 'cascade', 'ended'] as const;
  return first ?? order.map((role) => rest.find((event) => event.role === role)).find((event) => event !== undefined) ?? null;
}
