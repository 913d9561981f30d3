/** What a line of a report belongs to. */
export type LineKind = 'blank' | 'heading' | 'prose' | 'table' | 'fence' | 'fenced' | 'indented' | 'comment';

/** One line of a report; offsets are into the report's text. */
export interface Line {
  start: number;
  end: number;
  /** Offset at which `text` begins: after quote marks. */
  contentStart: number;
  /** The line without quote marks; indentation kept. */
  text: string;
  kind: LineKind;
  /** Number of the fenced block that the line lies in, else -1. */
  block: number;
  /** Info string of that fence. */
  info: string;
}

interface FenceState {
  mark: string;
  info: string;
  html: boolean;
}

/** Backticks may be indented below list items; tildes with carets are the marks below a trace's code line. */
const FENCE = /^(?: {0,12}(`{3,})| {0,3}(~{3,}))[ \t]*([^`~^\n]{0,80})$/;
const HTML_OPEN = /^\s{0,8}<pre\b[^>]{0,80}>(?:\s*<code\b[^>]{0,80}>)?/i;
const HTML_CLOSE = /<\/pre\s*>/i;
const HTML_TAG_LINE = /^\s*<\/?(?:details|summary|p|div|br|table|tr|td|ul|ol|li|img)\b[^>]{0,200}>\s*$/i;
const HEADING = /^ {0,3}#{1,6}[ \t]+\S/;
const BOLD_HEADING = /^ {0,3}(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?\s*$/;

/** Takes `> ` marks off; a lone `>>> ` is a Python prompt, no quotation. */
function stripQuote(raw: string): string {
  if (/^ {0,3}>>>(?: |$)/.test(raw)) return raw;
  const marks = /^(?: {0,3}>){1,64} ?/.exec(raw);
  return marks === null ? raw : raw.slice(marks[0].length);
}

function openFence(text: string): FenceState | null {
  const match = FENCE.exec(text);
  if (match !== null) return { mark: match[1] ?? match[2] ?? '```', info: (match[3] ?? '').trim().toLowerCase(), html: false };
  if (HTML_OPEN.test(text) && !HTML_CLOSE.test(text)) return { mark: '', info: '', html: true };
  return null;
}

function closesFence(state: FenceState, text: string): boolean {
  if (state.html) return HTML_CLOSE.test(text);
  const trimmed = text.trim();
  const first = state.mark.charAt(0);
  return trimmed.length >= state.mark.length && trimmed === first.repeat(trimmed.length);
}

function plainKind(text: string, previous: Line | undefined): LineKind {
  if (text.trim() === '' || HTML_TAG_LINE.test(text)) return 'blank';
  if (HEADING.test(text) || BOLD_HEADING.test(text)) return 'heading';
  if (/^\s{0,3}\|/.test(text)) return 'table';
  const indented = /^(?: {4}|\t)/.test(text);
  const free = previous === undefined || previous.kind === 'blank' || previous.kind === 'heading' || previous.kind === 'indented';
  return indented && free ? 'indented' : 'prose';
}

/** State of the walk over the lines. */
interface Walk {
  fence: FenceState | null;
  inComment: boolean;
  block: number;
}

function kindOf(text: string, walk: Walk, previous: Line | undefined): LineKind {
  if (walk.fence !== null) {
    if (!closesFence(walk.fence, text)) return 'fenced';
    walk.fence = null;
    return 'fence';
  }
  if (walk.inComment) {
    walk.inComment = !text.includes('-->');
    return 'comment';
  }
  const comment = text.indexOf('<!--');
  if (comment >= 0 && text.slice(0, comment).trim() === '') {
    walk.inComment = !text.includes('-->', comment);
    return 'comment';
  }
  const fence = openFence(text);
  if (fence === null) return plainKind(text, previous);
  walk.fence = fence;
  walk.block += 1;
  return 'fence';
}

/** Cuts a text into lines and says of each whether it is prose, code, heading, table or an HTML comment. */
export function readLines(text: string): Line[] {
  const lines: Line[] = [];
  const walk: Walk = { fence: null, inComment: false, block: -1 };
  let start = 0;
  for (const raw of text.split('\n')) {
    const content = stripQuote(raw);
    const kind = kindOf(content, walk, lines.at(-1));
    const block = kind === 'fenced' || kind === 'fence' ? walk.block : -1;
    const info = walk.fence?.info ?? '';
    lines.push({ start, end: start + raw.length, contentStart: start + raw.length - content.length, text: content, kind, block, info });
    start += raw.length + 1;
  }
  return lines;
}
