import type { Frame, ReportedException } from '@reenact/domain';
import { endsMessage, isMarkLine, looksLikeException, readExceptionLine, readFrame, TRACE_HEADER } from './grammar.js';
import type { TraceLine } from './streams.js';

/** Lines of a trace that are neither frame nor code: output of other threads, notices. More end the trace. */
const MOST_UNKNOWN_LINES = 4;
/** Longest message kept, in lines. */
const MOST_MESSAGE_LINES = 40;
/** Sentences that people add with `add_note`; all other further lines belong to the message. */
const NOTE = /^(?:note|hint|while|when|during|in (?:batch|epoch|step|sample|iteration))\b/i;

/** An exception and the index of the first line after it. */
export interface TraceReading {
  exception: ReportedException;
  next: number;
}

/** How the lines of one trace are set off from the margin. */
export interface Margin {
  /** Leading blanks that every line of the trace has. */
  column: number;
  /** The trace is a member of an exception group: lines begin with `|`. */
  grouped: boolean;
}

/** Text of a line relative to its trace's margin. */
export function atMargin(line: TraceLine, margin: Margin): string {
  if (margin.grouped) return line.text.replace(/^\s{0,200}[|+] ?/, '').replace(/^ /, '');
  let cut = 0;
  while (cut < margin.column && (line.text[cut] === ' ' || line.text[cut] === '\t')) cut += 1;
  return line.text.slice(cut);
}

interface Body {
  frames: Frame[];
  unknown: number;
}

function takeCode(body: Body, text: string): boolean {
  const last = body.frames.at(-1);
  if (last === undefined || last.code !== undefined) return false;
  last.code = text.trim();
  return true;
}

/** Says whether the trace goes on after this line, which is no exception line. */
function takeLine(body: Body, text: string): boolean {
  const frame = readFrame(text);
  if (frame !== null) {
    body.frames.push(frame);
    return true;
  }
  if (text.trim() === '' || isMarkLine(text)) return true;
  if (takeCode(body, text) || /^\s/.test(text)) return true;
  body.unknown += 1;
  return body.unknown <= MOST_UNKNOWN_LINES;
}

function isStrict(body: Body): boolean {
  const last = body.frames.at(-1);
  // Directly after a frame without code, an indentation-less line may be code that lost its indentation.
  return last === undefined || last.code === undefined;
}

/** Reads the frames and the exception of a trace whose first body line is `first`; null when no exception line follows. */
export function readTrace(lines: readonly TraceLine[], first: number, margin: Margin): TraceReading | null {
  const body: Body = { frames: [], unknown: 0 };
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || line.stop) return null;
    const text = atMargin(line, margin);
    // Another trace begins: the end of this one was cut off.
    if (TRACE_HEADER.test(text)) return null;
    const found = /^\S/.test(text) ? readExceptionLine(text, isStrict(body)) : null;
    if (
      found !== null &&
      !(found.message === '' && body.frames.length > 0 && !looksLikeException(found.type) && !found.type.includes('.'))
    ) {
      const end = readMessage(lines, at, { margin, type: found.type, message: found.message });
      const start = lines[first]?.start ?? line.start;
      const exception: ReportedException = {
        type: found.type,
        message: end.message,
        frames: body.frames,
        notes: end.notes,
        span: { start, end: end.end },
      };
      return { exception, next: end.next };
    }
    if (endsWithoutException(text, body)) return null;
    if (!takeLine(body, text)) return null;
  }
  return null;
}

function endsWithoutException(text: string, body: Body): boolean {
  return body.frames.length > 0 && readFrame(text) === null && endsMessage(text) && !/^\s/.test(text);
}

interface MessageStart {
  margin: Margin;
  type: string;
  message: string;
}

/** The rest of a message after its first line, with notes kept apart. */
export interface MessageReading {
  message: string;
  notes: string[];
  end: number;
  next: number;
}

/** First lines that only announce what a later paragraph tells: Keras, TensorFlow, JAX, state dicts. */
const ANNOUNCES = /:$|^Exception encountered when calling /;
/** TensorFlow sets the lines of the user's code into the message, as frames of their own. */
const HOLDS_FRAMES = /^(?:in user code|Graph execution error):$/;
/** What ends even a message of several paragraphs, beside what ends every one. */
const NEXT_OUTPUT =
  /^(?:-{3,}|={3,}|_{3,}|\$ |>>> |In ?\[|[A-Z]\w{0,60}(?:Error|Exception|Warning): |For simplicity, JAX has removed|The stack trace below excludes JAX)/;

/** Whether a message whose first line only announces its reason goes on here: its paragraphs are set apart by single blank lines. */
function goesOnAfterAnnouncing(lines: readonly TraceLine[], at: number, { margin, message }: MessageStart): boolean {
  const line = lines[at];
  if (line === undefined || line.stop) return false;
  const text = atMargin(line, margin);
  const next = lines[at + 1];
  if (text.trim() === '')
    return next !== undefined && !next.stop && atMargin(next, margin).trim() !== '' && continues(atMargin(next, margin), message);
  return continues(text, message);
}

function continues(text: string, first: string): boolean {
  if (NEXT_OUTPUT.test(text) || TRACE_HEADER.test(text)) return false;
  return !endsMessage(text) || (HOLDS_FRAMES.test(first) && readFrame(text.replace(/ {2}\*$/, '')) !== null);
}

/** Blank lines belong to a message only when an indented line follows, as in torch's long explanations. */
function goesOn(lines: readonly TraceLine[], at: number, start: MessageStart): boolean {
  if (ANNOUNCES.test(start.message)) return goesOnAfterAnnouncing(lines, at, start);
  const { margin } = start;
  const line = lines[at];
  if (line === undefined || line.stop) return false;
  const text = atMargin(line, margin);
  if (text.trim() !== '') return !endsMessage(text);
  const next = lines[at + 1];
  return next !== undefined && !next.stop && /^[ \t]+\S/.test(atMargin(next, margin)) && !endsMessage(atMargin(next, margin));
}

/** Collects the further lines of a message. */
export function readMessage(lines: readonly TraceLine[], at: number, start: MessageStart): MessageReading {
  const message = [start.message];
  const notes: string[] = [];
  let next = at + 1;
  while (message.length < MOST_MESSAGE_LINES && goesOn(lines, next, start)) {
    const line = lines[next];
    const text = line === undefined ? '' : atMargin(line, start.margin).trimEnd();
    if (notes.length > 0 || NOTE.test(text)) notes.push(text);
    else message.push(text);
    next += 1;
  }
  const last = lines[next - 1];
  return { message: message.join('\n').trim(), notes, end: last?.end ?? 0, next };
}
