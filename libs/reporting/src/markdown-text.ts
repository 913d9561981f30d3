import { plainLine, plainLines } from './plain-text.js';

const ZERO_WIDTH = String.fromCharCode(0x200b);
/** Signs that can begin markup inside a line; any of them may be escaped by a backslash (CommonMark 0.31, section 2.4). */
const MARKUP = /[*_`[\]\\|~$!^{}]/g;

/**
 * Untrusted prose for running Markdown text: nothing in it becomes markup, HTML, a link, a mention or a reference. Mentions, issue numbers
 * and bare addresses are recognised after the Markdown stage, so escaping does not stop them: a zero-width space does.
 */
export function escapeProse(text: string, maxCharacters = 600): string {
  return plainLine(text, maxCharacters)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(MARKUP, (sign) => `\\${sign}`)
    .replaceAll('@', `@${ZERO_WIDTH}`)
    .replace(/#(?=[\w])/g, `\\#${ZERO_WIDTH}`)
    .replaceAll('://', `:${ZERO_WIDTH}//`)
    .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}${ZERO_WIDTH}.`)
    .replace(/^(\d{1,9})\./, '$1\\.')
    .replace(/^#/, '\\#')
    .replace(/^([+-])/, '\\$1');
}

/** Untrusted text as a code span: its fence is longer than any run of backticks inside (CommonMark 0.31, section 6.1). */
export function codeSpan(text: string, maxCharacters = 200): string {
  const line = plainLine(text, maxCharacters);
  if (line === '') return '–';
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A code span for a table cell, where a pipe ends the cell even inside code. */
export function codeCell(text: string, maxCharacters = 120): string {
  return codeSpan(text, maxCharacters).replaceAll('|', '\\|');
}

/** Untrusted lines as a fenced block; the fence is longer than any run of backticks inside. */
export function codeBlock(text: string, options: { language?: string; maxLines?: number } = {}): string {
  const maxLines = options.maxLines ?? 60;
  const all = plainLines(text);
  const lines = all.slice(0, maxLines).map((line) => (line.length > 1000 ? `${line.slice(0, 999)}…` : line));
  if (all.length > maxLines) lines.push(`… ${all.length - maxLines} more lines`);
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return `${fence}${options.language ?? ''}\n${lines.join('\n')}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
