import type { ReportedException } from '@reenact/domain';
import type { Line } from '../lines.js';
import { DIRECT_CAUSE, EMBEDDED_PROCESS, HANDLING, ORIGINAL_TRACE, readFrame, TRACE_HEADER } from './grammar.js';
import { ipythonHeader, readIpython } from './read-ipython.js';
import { readPytest } from './read-pytest.js';
import { atMargin, readTrace } from './read-trace.js';
import type { Margin, TraceReading } from './read-trace.js';
import { demultiplex } from './streams.js';
import type { TraceLine, TraceStream } from './streams.js';

/** Lines between an exception and the words that chain it to the next one. */
const CHAIN_GAP_LINES = 8;
const MOST_CHAINED = 50;
/** What JAX prints between the whole trace and the filtered one (jax/_src/traceback_util.py). */
const FILTERED_NOTICE =
  /^(?:The stack trace below excludes JAX-internal frames\.|The preceding is the original exception that occurred, unmodified\.|-{8,})$/;

/** Exceptions of a report and the lines (by index) that their traces take up. */
export interface TracebackReading {
  exceptions: ReportedException[];
  consumed: Set<number>;
}

function marginOf(text: string): Margin {
  const column = text.search(TRACE_HEADER);
  const before = text
    .slice(0, Math.max(0, column))
    .replace(/Exception Group $/, '')
    .replace(/Original $/, '');
  if (/^\s*[|+]\s*$/.test(before)) return { column: 0, grouped: true };
  return { column: before.trim() === '' ? before.length : 0, grouped: false };
}

/** Reads one trace, chained ones not yet joined, when one begins at this line. */
function readOne(lines: readonly TraceLine[], at: number): TraceReading | null {
  const line = lines[at];
  if (line === undefined || line.stop) return null;
  const ipython = ipythonHeader(line.text);
  if (ipython !== null) return readIpython(lines, at, ipython);
  if (TRACE_HEADER.test(line.text)) return startAt(readTrace(lines, at + 1, marginOf(line.text)), line.start);
  // A trace whose head was cut off, or a syntax error, which has none.
  if (readFrame(line.text) !== null) {
    const column = Math.max(0, line.text.search(/\S/) - 2);
    return readTrace(lines, at, { column, grouped: false });
  }
  return readPytest(lines, at);
}

function startAt(reading: TraceReading | null, start: number): TraceReading | null {
  if (reading !== null) reading.exception.span.start = start;
  return reading;
}

/** What joins an exception to the one whose trace follows. */
interface Link {
  next: number;
  kind: 'cause' | 'context' | 'embedded';
  rank?: number;
}

function linkAfter(lines: readonly TraceLine[], from: number): Link | null {
  for (let at = from; at < lines.length && at < from + CHAIN_GAP_LINES; at += 1) {
    const line = lines[at];
    if (line === undefined || line.stop) return null;
    const text = line.text.trim();
    if (DIRECT_CAUSE.test(text)) return { next: at + 1, kind: 'cause' };
    if (HANDLING.test(text)) return { next: at + 1, kind: 'context' };
    const embedded = EMBEDDED_PROCESS.exec(text);
    if (embedded !== null) return { next: at + 1, kind: 'embedded', rank: Number(embedded[1]) };
    if (ORIGINAL_TRACE.test(text)) return { next: at, kind: 'embedded' };
    if (text !== '' && text !== '"""' && !/^[|+\s]+$/.test(text) && !FILTERED_NOTICE.test(text)) return null;
  }
  return null;
}

function nextTrace(lines: readonly TraceLine[], from: number): TraceReading | null {
  for (let at = from; at < lines.length && at < from + CHAIN_GAP_LINES; at += 1) {
    const reading = readOne(lines, at);
    if (reading !== null) return reading;
    const line = lines[at];
    if (line === undefined || line.stop || line.text.replace(/[|+\s]/g, '') !== '') return null;
  }
  return null;
}

function join(first: ReportedException, second: ReportedException, link: Link): ReportedException {
  const span = { start: first.span.start, end: second.span.end };
  if (link.kind !== 'embedded') return { ...second, cause: first, causeKind: link.kind, span };
  const cause = link.rank === undefined ? second : { ...second, rank: link.rank };
  return { ...first, cause, causeKind: 'cause', span };
}

/** Reads the trace that begins at a line together with all that are chained to it. */
function readChain(lines: readonly TraceLine[], at: number): TraceReading | null {
  let reading = readOne(lines, at);
  for (let joined = 0; reading !== null && joined < MOST_CHAINED; joined += 1) {
    const link = linkAfter(lines, reading.next);
    const following = link === null ? null : nextTrace(lines, link.next);
    if (link === null || following === null) break;
    reading = { exception: join(reading.exception, following.exception, link), next: following.next };
  }
  return reading;
}

function withRank(exception: ReportedException, rank: number | undefined): ReportedException {
  return rank === undefined ? exception : { ...exception, rank };
}

function readStream(stream: TraceStream, result: TracebackReading, maxItems: number): void {
  let failed = -1;
  for (let at = 0; at < stream.lines.length && result.exceptions.length < maxItems; at += 1) {
    const reading = at > failed ? readChain(stream.lines, at) : null;
    const line = stream.lines[at];
    if (reading === null) {
      // A frame line without an exception after it: do not try again from each of the frames that follow.
      if (line !== undefined && at > failed && readFrame(line.text) !== null) failed = lastFrameAfter(stream.lines, at);
      continue;
    }
    result.exceptions.push(withRank(reading.exception, stream.rank));
    for (let used = at; used < reading.next; used += 1) result.consumed.add(stream.lines[used]?.index ?? -1);
    at = reading.next - 1;
  }
}

function lastFrameAfter(lines: readonly TraceLine[], from: number): number {
  let last = from;
  for (let at = from; at < lines.length && at - last < 4; at += 1) {
    const line = lines[at];
    if (line === undefined || line.stop) break;
    if (readFrame(atMargin(line, { column: 0, grouped: false })) !== null) last = at;
  }
  return last;
}

/**
 * Reads every Python traceback: chained ones, exception groups, syntax errors, interleaved ranks with launcher
 * prefixes, IPython's and pytest's forms, quoted, indented and headless ones. The exception of a chain is the
 * last one, with the earlier ones as `cause`; an exception that a wrapper quotes (spawned process, loader
 * worker) is the wrapper's `cause`. Spans cover the whole trace. Sorted by place.
 */
export function readTracebacks(lines: readonly Line[], maxItems: number): TracebackReading {
  const result: TracebackReading = { exceptions: [], consumed: new Set() };
  for (const stream of demultiplex(lines)) readStream(stream, result, maxItems);
  result.exceptions.sort((a, b) => a.span.start - b.span.start);
  return result;
}
