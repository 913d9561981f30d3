import type { Frame } from '../schemas/common.js';
import { faultSignal, readNativeLine } from './native-lines.js';

/** The end of a program below Python, as its last words tell it: a claim of whoever printed them. */
export interface NativeFailure {
  /** The signal that ended it, such as `SIGSEGV`. */
  signal: string;
  /** What native code said, such as `free(): invalid pointer` or what() of an exception; empty where only the signal is told. */
  message: string;
  /** Type of the C++ exception that nobody caught. */
  type?: string;
  /** Frames of the thread that it hit, outermost first. */
  frames: Frame[];
  /** Lines that tell it: from `start` up to, not including, `end`. */
  start: number;
  end: number;
}

const FATAL = /^\s{0,8}Fatal Python error: (.{1,400})$/;
/** Since Python 3.9 the name of the C function stands first (Python/pylifecycle.c, fatal_error). */
const C_FUNCTION = /^[A-Za-z_]\w{0,80}: (?=\S)/;
const RUNTIME_STATE = /^\s{0,8}Python runtime state: /;
const CURRENT = /^\s{0,8}Current thread (?:0x)?[0-9a-fA-F]{1,32}(?: \[.{0,80}\])? \(most recent call first\):$/;
const OTHER_THREAD = /^\s{0,8}Thread (?:0x)?[0-9a-fA-F]{1,32}(?: \[.{0,80}\])? \(most recent call first\):$/;
const DUMPED_FRAME = /^\s{0,12}File "(.{1,500})", line (\d{1,9}) in (.{1,200})$/;
const DUMP_REST =
  /^\s{0,8}(?:\.{3}|<no Python frame>|<tstate .{0,80}>|Extension modules: .*|Current thread's C stack trace .*|Binary file .*|<cannot get C stack .*)$/;
const WHAT = /^\s{1,8}what\(\): {1,4}(.{0,2000})$/;
/** A program's last words come together; a shell's line follows at once. */
const GAP_LINES = 3;
const MOST_WHAT_LINES = 40;
const MOST_FAILURES = 50;

/** Reads a dump of the fault handler or of the interpreter's own fatal error. */
function readFatal(lines: readonly string[], at: number): NativeFailure | null {
  const head = FATAL.exec(lines[at] ?? '')?.[1]?.trim();
  if (head === undefined) return null;
  const signal = faultSignal(head);
  const frames: Frame[] = [];
  let mine = false;
  let end = at + 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    const frame = DUMPED_FRAME.exec(line);
    if (CURRENT.test(line)) mine = true;
    else if (OTHER_THREAD.test(line) || /C stack trace/.test(line)) mine = false;
    else if (frame !== null && mine) frames.unshift({ file: frame[1] ?? '', line: Number(frame[2]), function: (frame[3] ?? '').trim() });
    else if (line.trim() !== '' && frame === null && !RUNTIME_STATE.test(line) && !DUMP_REST.test(line)) break;
    if (line.trim() !== '') end = next + 1;
  }
  const message = signal === null ? head.replace(C_FUNCTION, '') : '';
  return { signal: signal ?? 'SIGABRT', message, frames, start: at, end };
}

/** `what():` and its further lines, which end where another form or an empty line begins. */
function readWhat(lines: readonly string[], at: number): { message: string; end: number } {
  const first = WHAT.exec(lines[at] ?? '')?.[1];
  if (first === undefined) return { message: '', end: at };
  const message = [first];
  let next = at + 1;
  while (next < lines.length && message.length < MOST_WHAT_LINES) {
    const line = lines[next] ?? '';
    if (line.trim() === '' || FATAL.test(line) || readNativeLine(line) !== null) break;
    message.push(line);
    next += 1;
  }
  return { message: message.join('\n').trim(), end: next };
}

function readOne(lines: readonly string[], at: number): NativeFailure | null {
  const fatal = readFatal(lines, at);
  if (fatal !== null) return fatal;
  const line = readNativeLine(lines[at] ?? '');
  if (line === null) return null;
  const what = line.type === undefined ? { message: '', end: at + 1 } : readWhat(lines, at + 1);
  const failure: NativeFailure = {
    signal: line.signal,
    message: what.message === '' ? line.message : what.message,
    frames: [],
    start: at,
    end: Math.max(at + 1, what.end),
  };
  return line.type === undefined ? failure : { ...failure, type: line.type };
}

/** Whether two neighbours tell one end: of one signal, and not both with words or frames of their own. */
function isSameEnd(first: NativeFailure, second: NativeFailure): boolean {
  if (second.start - first.end > GAP_LINES || first.signal !== second.signal) return false;
  const twoWords = told(first) && told(second);
  return !twoWords && !(first.frames.length > 0 && second.frames.length > 0);
}

function told(failure: NativeFailure): boolean {
  return failure.message !== '' || failure.type !== undefined;
}

function joined(first: NativeFailure, second: NativeFailure): NativeFailure {
  const teller = told(first) ? first : second;
  return { ...teller, frames: first.frames.length > 0 ? first.frames : second.frames, start: first.start, end: second.end };
}

/** Type and words of a failure as one text; empty where only the signal is told. */
export function nativeWords(failure: { type?: string | undefined; message: string }): string {
  return [failure.type ?? '', failure.message].filter((part) => part !== '').join(': ');
}

/**
 * Reads the last words of programs that ended below Python: the fault handler's dump, fatal errors of the interpreter,
 * glibc's checks, C++ exceptions that nobody caught, failed assertions, fatal log lines of TensorFlow, absl and glog, and
 * what shells and launchers say. Neighbours that tell one end are one failure. Linear; at most 50 failures.
 */
export function readNativeFailures(lines: readonly string[]): NativeFailure[] {
  const found: NativeFailure[] = [];
  for (let at = 0; at < lines.length && found.length < MOST_FAILURES; at += 1) {
    const failure = readOne(lines, at);
    if (failure === null) continue;
    const last = found.at(-1);
    if (last !== undefined && isSameEnd(last, failure)) found[found.length - 1] = joined(last, failure);
    else found.push(failure);
    at = failure.end - 1;
  }
  return found;
}
