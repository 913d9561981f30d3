import type { Report } from '@reenact/domain';
import type { Line } from './lines.js';
import { clausesOf, clauseStance, withoutDenials } from './prose/stance.js';
import { looksLikeException, readExceptionLine } from './traceback/grammar.js';
import { stripLauncherPrefix } from './traceback/streams.js';

type ErrorLine = Report['errorLines'][number];

/** Lines that interpreters, kernels, launchers and GPU libraries print when something ends badly. */
const KNOWN_LINES: readonly RegExp[] = [
  /^(?:\S{1,200}: line \d{1,6}: +\d{1,9} )?(?:Killed|Terminated|Aborted|Bus error|Illegal instruction|Segmentation fault|Floating point exception|Trace\/breakpoint trap)\b.{0,300}$/,
  /^(?:Fatal Python error|CUDA error|CUDA out of memory|cuDNN error|NCCL error|ncclSystemError|ncclInternalError|terminate called|Out of memory|oom-kill|free\(\)|malloc\(\)|double free|corrupted size)[: ].{0,500}$/i,
  /^(?:\[[EFW]\d{0,4} .{1,200}\]|[EF]\d{4} \d\d:\d\d:\d\d\.\d+ .{1,200}\]) .{1,600}$/,
  /^(?:error|fatal|ERROR): \S.{0,400}$/i,
  /^Process finished with exit code -?\d{1,10}$/,
];
/** A type name that stands in prose, alone or with its message after a colon. */
const NAMED = /`{0,2}\b([A-Za-z_][\w.]{0,100}(?:Error|Exception|Interrupt))\b`{0,2}(?:: ([^\n`]{1,300}))?/g;

function fromLine(line: Line, numbered: boolean): ErrorLine | null {
  const { text, rank } = stripLauncherPrefix(line.text, numbered);
  const body = text.trim();
  const span = { start: line.start, end: line.end };
  const exception = readExceptionLine(body, true);
  const known = KNOWN_LINES.some((pattern) => pattern.test(body)) && !/\bWarning\b/.test(body);
  const isException =
    exception !== null && looksLikeException(exception.type) && !/Warning$/.test(exception.type) && exception.message !== '';
  if (!known && !isException) return null;
  return rank === undefined ? { span, text: body } : { span, text: body, rank };
}

/** Lines outside of traces that look like an error: whole lines of output, first in code, then in prose. */
export function readErrorLines(lines: readonly Line[], consumed: ReadonlySet<number>, maxItems: number): ErrorLine[] {
  const found: ErrorLine[] = [];
  lines.forEach((line, index) => {
    if (found.length >= maxItems || consumed.has(index)) return;
    if (line.kind === 'comment' || line.kind === 'fence' || line.kind === 'heading' || line.kind === 'table') return;
    const entry = fromLine(line, false);
    if (entry !== null) found.push(entry);
  });
  return found;
}

/** Exception names in sentences that tell what was observed; text is the name with its message. */
export function readInlineErrors(text: string, sentences: Report['sentences'], maxItems: number): ErrorLine[] {
  const found: ErrorLine[] = [];
  for (const sentence of sentences) {
    if (sentence.stance !== 'observed' || found.length >= maxItems) continue;
    const live = clausesOf(sentence.text)
      .filter((clause) => clauseStance(clause) === 'observed')
      .map(withoutDenials);
    const raw = text.slice(sentence.span.start, sentence.span.end);
    for (const match of raw.matchAll(NAMED)) {
      const name = match[1] ?? '';
      if (!live.some((clause) => clause.includes(name))) continue;
      const start = sentence.span.start + match.index;
      found.push({ span: { start, end: start + match[0].length }, text: match[0].replace(/`/g, '').replace(/\s+/g, ' ').trim() });
    }
  }
  return found.slice(0, maxItems);
}
