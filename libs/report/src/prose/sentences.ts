import type { Report } from '@reenact/domain';
import type { Line } from '../lines.js';
import { labelOf, sectionOf, stanceOf } from './stance.js';
import type { Section } from './stance.js';

type Sentence = Report['sentences'][number];

const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|ca|resp|incl|excl|fig|no|nr|dr|mr|st|a\.k\.a|max|min|avg|ver|v)$/i;
const LIST_ITEM = /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+/;
/** Headings that issue templates begin with: they title nothing. */
const TEMPLATE_HEADING =
  /^[\s#*_]*(?:[^\w\s]{1,4}\s*)?(?:describe the (?:bug|issue|problem)|bug(?: report| description)?|description|summary|overview|what happen(?:s|ed)|issue|problem|environment|system info|to reproduce|reproduction|steps|your environment|prerequisites|checklist|details|context)\s*:?[\s*_#]*$/i;
const MOST_SENTENCE_CHARACTERS = 1_500;

/** Text of a block of prose lines; they lie one after the other in the report. */
interface Paragraph {
  start: number;
  end: number;
  section: Section;
}

/** Title of a report: its first heading, `Title:`/`Subject:` line or first line of prose, and its line (-1: none); traces title nothing. */
export function readTitle(lines: readonly Line[], consumed: ReadonlySet<number>): { title: string; line: number } {
  const isTitle = (line: Line, index: number): boolean =>
    !consumed.has(index) && ((line.kind === 'heading' && !TEMPLATE_HEADING.test(line.text)) || line.kind === 'prose');
  const head = lines.findIndex(isTitle);
  const named = lines.slice(0, 40).findIndex((line) => /^\s{0,4}(?:title|subject|summary):\s*\S/i.test(line.text));
  const at = named >= 0 && (head < 0 || lines[head]?.kind !== 'heading' || named < head) ? named : head;
  const text = lines[at]?.text ?? '';
  const title = text
    .replace(/^\s{0,4}(?:title|subject|summary):\s*/i, '')
    .replace(/^\s{0,3}#{1,6}\s+/, '')
    .replace(/\s+#*\s*$/, '')
    .replace(/^(?:\*\*|__)(.*?)(?:\*\*|__)$/, '$1');
  return { title: title.trim().slice(0, 300), line: at };
}

function endsHere(text: string, at: number): boolean {
  const mark = text[at];
  if (mark !== '.' && mark !== '!' && mark !== '?') return false;
  const after = /^[)"'”’*_`]{0,3}\s+(\S)/.exec(text.slice(at + 1, at + 12));
  if (after === null) return text.slice(at + 1, at + 5).trim() === '';
  if (mark !== '.') return true;
  const before = text.slice(Math.max(0, at - 24), at);
  if (before.endsWith('.') || ABBREVIATION.test(before)) return /[A-Z]/.test(after[1] ?? '') && before.endsWith('..');
  if (/[a-z]/.test(after[1] ?? '')) return /[a-z]{3}[)`"']?$/.test(before);
  return true;
}

/** Cuts at sentence ends, never inside back-ticked code or a quotation. */
function cutSentences(text: string, offset: number, section: Section): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let closing = -1;
  const push = (end: number): void => {
    const raw = text.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    const body = raw.trim();
    if (body !== '') {
      const folded = body.replace(/\s+/g, ' ');
      const span = { start: offset + start + lead, end: offset + start + lead + body.length };
      sentences.push({ span, text: folded, stance: stanceOf(folded, section) });
    }
    start = end;
  };
  for (let at = 0; at < text.length; at += 1) {
    if (at <= closing) continue;
    const character = text[at];
    if (character === '`' || character === '"') {
      const close = text.indexOf(character, at + 1);
      if (close > 0 && close - at < 300) closing = close;
    } else if (endsHere(text, at) || at - start > MOST_SENTENCE_CHARACTERS) push(at + 1);
  }
  push(text.length);
  return sentences;
}

function isProse(line: Line, consumed: boolean): boolean {
  return line.kind === 'prose' && !consumed;
}

/** Where the walk over the lines stands. */
interface Walk {
  section: Section;
  open: Paragraph | null;
  paragraphs: Paragraph[];
}

function closeParagraph(walk: Walk): void {
  if (walk.open !== null) walk.paragraphs.push(walk.open);
  walk.open = null;
}

function takeProse(walk: Walk, line: Line): void {
  const label = labelOf(line.text);
  const first = walk.open === null || LIST_ITEM.test(line.text) || label !== 'none';
  if (first || walk.open === null) {
    const inherited = walk.open !== null && LIST_ITEM.test(line.text) ? walk.open.section : walk.section;
    closeParagraph(walk);
    const marker = LIST_ITEM.exec(line.text)?.[0].length ?? 0;
    walk.open = { start: line.contentStart + marker, end: line.end, section: label === 'none' ? inherited : label };
    // "Expected:" alone on its line speaks for the paragraph after it.
    if (label !== 'none' && /:\s*(?:\*\*|__)?\s*$/.test(line.text)) walk.section = label;
    return;
  }
  walk.open.end = line.end;
}

/** Sentences of all prose with the way each is meant; code, tables and traces are left out. */
export function readSentences(text: string, lines: readonly Line[], consumed: ReadonlySet<number>, maxItems: number): Sentence[] {
  const walk: Walk = { section: 'none', open: null, paragraphs: [] };
  const { line: titleLine } = readTitle(lines, consumed);
  lines.forEach((line, index) => {
    if (line.kind === 'heading' || index === titleLine) {
      closeParagraph(walk);
      // The first line is the title: it tells the symptom and opens no section.
      if (index !== titleLine) walk.section = sectionOf(line.text);
      const lead = /^[\s#*_]*(?:(?:title|subject|summary):\s*)?/i.exec(line.text)?.[0].length ?? 0;
      if (index === titleLine) walk.paragraphs.push({ start: line.contentStart + lead, end: line.end, section: 'none' });
    } else if (isProse(line, consumed.has(index))) takeProse(walk, line);
    else closeParagraph(walk);
  });
  closeParagraph(walk);
  const sentences: Sentence[] = [];
  for (const paragraph of walk.paragraphs) {
    if (sentences.length >= maxItems) break;
    sentences.push(...cutSentences(text.slice(paragraph.start, paragraph.end), paragraph.start, paragraph.section));
  }
  return sentences.slice(0, maxItems);
}
