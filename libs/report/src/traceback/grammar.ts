import type { Frame } from '@reenact/domain';

/** Patterns of CPython's, IPython's and pytest's tracebacks; every quantifier is bounded or anchored, so all are linear. */
export const TRACE_HEADER = /Traceback \(most recent call last\):?/;
const FRAME = /^\s*(?:File )"([^"\n]{1,500})", line (\d{1,9})(?:, in (.{1,200}))?\s*$/;
const CARETS = /^[\s~^]+$/;
const ELISION = /^\s*(?:\.{3}|…|\[\.\.\. .{0,80}|\[Previous line repeated .{0,40}|\(\.\.\.\)|\.{3,} .{0,60})\s*$/;
const EXCEPTION = /^((?:[A-Za-z_]\w{0,80})(?:\.[A-Za-z_<]\w{0,80}>?){0,12})(?::(?: (.*))?)?\s*$/;
const NAME_ENDING =
  /(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Failure|Fault|Timeout|Unsupported|Empty|Full|Abort|Aborted|Raised\w*|Group|Expired)$/;
export const DIRECT_CAUSE = /^\s*[|+]?\s*The above exception was the direct cause of the following exception:?/;
export const HANDLING = /^\s*[|+]?\s*During handling of the above exception, another exception occurred:?/;
/** A wrapper quotes the exception of another process: torch's spawn, its loader workers, its launchers. */
export const EMBEDDED_PROCESS = /^-- Process (\d{1,5}) terminated with the following error:/;
export const ORIGINAL_TRACE = /^Original Traceback \(most recent call last\):?/;

/** A frame line, without its code line. */
export function readFrame(text: string): Frame | null {
  const match = FRAME.exec(text);
  if (match === null) return null;
  const frame: Frame = { file: match[1] ?? '', line: Number(match[2]) };
  if (match[3] !== undefined) frame.function = match[3].trim();
  return frame;
}

/** Type and first message line of an exception line at the left margin. */
export interface ExceptionLine {
  type: string;
  message: string;
}

/** Reads `pkg.Type: message` or `Type`; `strict` asks for a name that looks like an exception's. */
export function readExceptionLine(text: string, strict: boolean): ExceptionLine | null {
  const match = EXCEPTION.exec(text);
  if (match === null) return null;
  const type = match[1] ?? '';
  if (strict && !looksLikeException(type)) return null;
  return { type, message: (match[2] ?? '').trimEnd() };
}

/** True for a type name with a customary ending, dotted or not. */
export function looksLikeException(type: string): boolean {
  return NAME_ENDING.test(type);
}

/** Lines that tell nothing: caret marks and elisions. */
export function isMarkLine(text: string): boolean {
  return (CARETS.test(text) && text.trim() !== '') || ELISION.test(text);
}

/** A line that begins something new, so that a message does not go on over it. */
export function endsMessage(text: string): boolean {
  return (
    TRACE_HEADER.test(text) ||
    DIRECT_CAUSE.test(text) ||
    HANDLING.test(text) ||
    EMBEDDED_PROCESS.test(text) ||
    readFrame(text) !== null ||
    /^(?:\$ |>>> |In \[\d+\]|"""|\+-|-\+-|[WEIF]\d{4} \d\d:|srun: |WARNING:|ERROR:|INFO:|={5,}|-{5,})/.test(text.trimStart())
  );
}
