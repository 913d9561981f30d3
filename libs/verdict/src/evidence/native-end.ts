import { faultSignal, nativeWords, readNativeFailures, type EvidenceOf, type Frame, type NativeFailure } from '@reenact/domain';
import type { EvidenceView } from './evidence-view.js';
import { placeOfPrintedFile } from './traceback-text.js';

/** The end of one process below Python. The signal of a first-level process is the supervisor's word, all else its own. */
export interface NativeEnd {
  seq: number;
  /** Seconds since the trial began when it happened, as exactly as known. */
  t: number;
  pid: number | undefined;
  rank: number | undefined;
  signal: string;
  /** What native code said on standard error; empty where it said nothing. */
  message: string;
  /** Type of a C++ exception that nobody caught. */
  type?: string;
  /** Python frames of the thread that it hit, outermost first; null where no dump tells, empty where it ran no Python code. */
  frames: Frame[] | null;
  /** Whether the supervisor saw the process end: else it is a child's own dump. */
  isFirstLevel: boolean;
}

/** When a first-level process ended: its exit record is written after the whole step. */
export function endTime(exit: EvidenceOf<'exit'>, view: EvidenceView): number {
  const begun = view.records.find((record) => record.kind === 'process' && record.source === 'supervisor' && record.pid === exit.pid);
  return begun === undefined ? exit.t : Math.min(exit.t, begun.t + exit.wallSeconds);
}

function placed(frames: readonly Frame[], view: EvidenceView): Frame[] {
  return frames.map((frame) => ({ ...frame, place: placeOfPrintedFile(frame.file, view.subjectFiles) }));
}

/** What a process and its children said on standard error of an end by this signal: the last of it. */
function lastWords(signal: string, of: { pid?: number; rank?: number; step?: number }, view: EvidenceView): NativeFailure | undefined {
  const isOwn = (stream: EvidenceView['streams'][number]): boolean =>
    of.pid === undefined ? stream.rank === of.rank && stream.step === of.step : stream.pid === of.pid;
  return view.streams
    .filter((stream) => stream.channel === 'stderr' && isOwn(stream))
    .flatMap((stream) => readNativeFailures(stream.lines.map((record) => record.line)))
    .findLast((failure) => failure.signal === signal);
}

function ofExit(exit: EvidenceOf<'exit'>, signal: string, view: EvidenceView): NativeEnd {
  const crash = view.crashes.findLast((record) => record.pid === exit.pid && faultSignal(record.reason) === signal);
  const words = exit.pid === undefined ? undefined : lastWords(signal, { pid: exit.pid }, view);
  const printed = words !== undefined && words.frames.length > 0 ? placed(words.frames, view) : null;
  return {
    seq: exit.seq,
    t: crash?.t ?? endTime(exit, view),
    pid: exit.pid,
    rank: exit.rank,
    signal,
    message: words?.message ?? '',
    ...(words?.type === undefined ? {} : { type: words.type }),
    frames: crash?.frames ?? printed,
    isFirstLevel: true,
  };
}

function ofCrash(crash: EvidenceOf<'crash'>, signal: string, view: EvidenceView): NativeEnd {
  const of = { ...(crash.rank === undefined ? {} : { rank: crash.rank }), ...(crash.step === undefined ? {} : { step: crash.step }) };
  const words = lastWords(signal, of, view);
  return {
    seq: crash.seq,
    t: crash.t,
    pid: crash.pid,
    rank: crash.rank,
    signal,
    message: words?.message ?? '',
    ...(words?.type === undefined ? {} : { type: words.type }),
    frames: crash.frames,
    isFirstLevel: false,
  };
}

/**
 * Every process that a signal of its own fault ended: first-level ones as the supervisor saw them, with what the fault
 * handler and native code left of them, and their children by the fault handler's dump. What native code of a child said
 * is on the stream of the process that started it. In order of time.
 */
export function nativeEnds(view: EvidenceView): NativeEnd[] {
  const exits = view.exits.flatMap((exit) => {
    const signal = exit.endedBy === 'self' && exit.signal !== null ? faultSignal(exit.signal) : null;
    return signal === null ? [] : [ofExit(exit, signal, view)];
  });
  const known = new Set(view.exits.map((exit) => exit.pid));
  const children = view.crashes.flatMap((crash) => {
    const signal = known.has(crash.pid) ? null : faultSignal(crash.reason);
    return signal === null ? [] : [ofCrash(crash, signal, view)];
  });
  return [...exits, ...children].toSorted((left, right) => left.t - right.t || left.seq - right.seq);
}

/** Signal, native message and innermost frame of the program, for people. */
export function describeNativeEnd(end: NativeEnd): string {
  const said = nativeWords({ type: end.type, message: end.message.split('\n', 1)[0]?.slice(0, 160) ?? '' });
  const at = end.frames?.findLast((frame) => frame.place === 'subject') ?? end.frames?.at(-1);
  return `ended by ${end.signal}${said ? `: ${said}` : ''}${at ? ` at ${at.file}${at.function ? `:${at.function}` : ''}` : ''}`;
}
