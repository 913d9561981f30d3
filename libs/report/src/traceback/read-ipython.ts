import type { Frame } from '@reenact/domain';
import { readExceptionLine, TRACE_HEADER } from './grammar.js';
import { readMessage } from './read-trace.js';
import type { TraceReading } from './read-trace.js';
import type { TraceLine } from './streams.js';

const HEADER = /^\s{0,8}([A-Za-z_][\w.]{0,120})\s{2,}Traceback \(most recent call last\):?\s*$/;
const CELL = /^(?:Cell |Input )?In ?\[(\d{1,6})\]/;
const FILE = /^(?:File )?((?:~|\.|\/|<|[A-Za-z]:|\w)[^\s:]{0,300})(?::(\d{1,9}))?,? in ([\w<>.]{1,120})/;
const ARROW = /^-{2,}> ?(\d{1,9}) ?(.*)$/;
const MOST_LINES = 2_000;

/** Type named by the head line of an IPython traceback, or null. */
export function ipythonHeader(text: string): string | null {
  return HEADER.exec(text)?.[1] ?? null;
}

function readLine(frames: Frame[], text: string): void {
  const arrow = ARROW.exec(text);
  const last = frames.at(-1);
  if (arrow !== null) {
    if (last === undefined) return;
    last.line = Number(arrow[1]);
    last.code = (arrow[2] ?? '').trim();
    return;
  }
  const cell = CELL.exec(text);
  if (cell !== null) {
    frames.push({ file: `In[${cell[1] ?? ''}]`, function: '<module>' });
    return;
  }
  const file = FILE.exec(text);
  if (file === null) return;
  const frame: Frame = { file: file[1] ?? '', function: file[3] ?? '' };
  if (file[2] !== undefined) frame.line = Number(file[2]);
  frames.push(frame);
}

/** Reads an IPython or Jupyter traceback from its head line on: frames with `---->` marks, then `Type: message`. */
export function readIpython(lines: readonly TraceLine[], head: number, type: string): TraceReading | null {
  const frames: Frame[] = [];
  const short = type.split('.').at(-1) ?? type;
  for (let at = head + 1; at < lines.length && at < head + MOST_LINES; at += 1) {
    const line = lines[at];
    if (line === undefined || line.stop || TRACE_HEADER.test(line.text)) return null;
    const found = readExceptionLine(line.text, false);
    if (found !== null && found.type.split('.').at(-1) === short) {
      const rest = readMessage(lines, at, { margin: { column: 0, grouped: false }, type: found.type, message: found.message });
      const span = { start: lines[head]?.start ?? line.start, end: rest.end };
      return { exception: { type: found.type, message: rest.message, frames, notes: rest.notes, span }, next: rest.next };
    }
    readLine(frames, line.text);
  }
  return null;
}
