import type { Frame } from '@reenact/domain';

/** An exception as a text shows it: by itself a claim of whoever printed the text. */
export interface PrintedException {
  type: string;
  message: string;
  frames: Frame[];
}

const FRAME_LINE = /^\s*File "([^"]{1,500})", line (\d{1,7})(?:, in (\S{1,200}))?\s*$/;
const TYPE_LINE = /^((?:[A-Za-z_]\w{0,100}\.){0,10}[A-Z_]\w{0,100})(?::\s?(.*))?$/;
const HEADER = 'Traceback (most recent call last):';
const LINES_LIMIT = 20_000;

/** File name tails of a library's or the interpreter's own code. */
export function placeOfPrintedFile(file: string, subjectFiles: ReadonlySet<string>): NonNullable<Frame['place']> {
  const path = file.replaceAll('\\', '/');
  if (/\/(?:site|dist)-packages\//.test(path)) return 'dependency';
  for (const known of subjectFiles) if (path === known || path.endsWith(`/${known}`)) return 'subject';
  return /\/lib\/python\d/.test(path) ? 'standard-library' : 'other';
}

function readOne(lines: readonly string[], start: number): { exception: PrintedException | null; next: number } {
  const frames: Frame[] = [];
  let at = start;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const frame = FRAME_LINE.exec(line);
    const type = frame ? null : TYPE_LINE.exec(line.trimEnd());
    if (frame) frames.push({ file: frame[1] ?? '', line: Number(frame[2]), ...(frame[3] === undefined ? {} : { function: frame[3] }) });
    else if (type && frames.length > 0)
      return { exception: { type: type[1] ?? '', message: restOfMessage(type[2] ?? '', lines, at + 1), frames }, next: at + 1 };
    else if (line.includes(HEADER)) return { exception: null, next: at };
    else if (line !== '' && !/^\s/.test(line)) return { exception: null, next: at + 1 };
    else {
      const last = frames.at(-1);
      if (last && last.code === undefined && line.trim() !== '' && !/^[\s^~]+$/.test(line)) last.code = line.trim();
    }
    at += 1;
  }
  return { exception: null, next: at };
}

/** Messages go on until an empty line or the next header; 40 lines at most. */
function restOfMessage(first: string, lines: readonly string[], start: number): string {
  const rest: string[] = [first];
  for (const line of lines.slice(start, start + 40)) {
    if (line.trim() === '' || line.includes(HEADER)) break;
    rest.push(line);
  }
  return rest.join('\n').trim();
}

/** All tracebacks in a text, in order. Linear in its length; at most 20,000 lines are read. */
export function readTracebacks(text: string): PrintedException[] {
  const lines = text.split('\n', LINES_LIMIT);
  const found: PrintedException[] = [];
  let at = 0;
  while (at < lines.length) {
    if (!(lines[at] ?? '').includes(HEADER)) {
      at += 1;
      continue;
    }
    const { exception, next } = readOne(lines, at + 1);
    if (exception) found.push(exception);
    at = next;
  }
  return found;
}
