import { readExceptionLine } from './grammar.js';
import type { TraceReading } from './read-trace.js';
import type { TraceLine } from './streams.js';

const MARKED = /^\s{0,8}E {3,8}(\S.*)$/;
const PLACE = /^\s{0,8}([\w./\\-]{1,300}\.py):(\d{1,9}): (?:in )?(\w{1,120})\s*$/;
const FURTHER_LINES = 12;

/** Reads pytest's `E   Type: message` block; the frame is the `file.py:12: Type` line after it. */
export function readPytest(lines: readonly TraceLine[], at: number): TraceReading | null {
  const first = lines[at];
  const marked = first === undefined ? null : MARKED.exec(first.text);
  const found = marked === null ? null : readExceptionLine(marked[1] ?? '', true);
  if (first === undefined || found === null) return null;
  const message = [found.message];
  let next = at + 1;
  for (let line = lines[next]; line !== undefined && MARKED.test(line.text); line = lines[next]) {
    message.push(MARKED.exec(line.text)?.[1] ?? '');
    next += 1;
  }
  const frames = [];
  for (let look = next; look < lines.length && look < next + FURTHER_LINES; look += 1) {
    const place = PLACE.exec(lines[look]?.text ?? '');
    if (place === null) continue;
    frames.push({ file: place[1] ?? '', line: Number(place[2]) });
    next = look + 1;
    break;
  }
  const end = lines[next - 1]?.end ?? first.end;
  return {
    exception: { type: found.type, message: message.join('\n').trim(), frames, notes: [], span: { start: first.start, end } },
    next,
  };
}
