import type { Report } from '@reenact/domain';
import type { Fence } from './fences.js';
import { findFences } from './fences.js';

/** One place of a report that names a command, before anything is known about the program. */
export interface CommandMention {
  text: string;
  start: number;
  end: number;
  place: 'step' | 'block' | 'inline';
  /** Mentions of one group belong together: a list, a block, a paragraph. */
  group: number;
  /** Text around it within its paragraph, up to the neighbouring mentions. */
  before: string;
  after: string;
  /** Text under a word like "expected" or "workaround" is no way to the fault; a guess is one only where nothing else is said. */
  standing: 'usable' | 'guess' | 'unwanted';
}

const LIST_ITEM = /^\s{0,8}(?:\d{1,3}[.)]|[-*+]|step\s+\d{1,3}\s*[:.)])\s+/i;
const PROGRAM_START =
  /^\s*(?:[$%>!]\s+|[$!](?=[a-z])|\(\w{1,30}\)\s*[$>]?\s*)?(?:[A-Za-z_]\w{0,60}=[^\s]{0,200}\s+){0,6}(?:(?:time|nohup|env|uv run|poetry run|pipenv run)\s+)?(?:(?:[\w./~-]{0,100}\/)?python[\d.]{0,5}(?:\.exe)?\s|torchrun\s|accelerate\s+launch\s|pytest\b|cd\s+\S|export\s+\S|for\s+\w+\s+in\s|\.?\/?[\w./-]{1,150}\.py\b)/;
/** A label before a command that stands in a line of its own: `Command: python train.py`. */
const LABEL = /^(?:[A-Z][A-Za-z ]{0,30}:\s{1,4})?/;
const RUN_VERB =
  /\b(?:run|running|ran|runs|execute|executing|executed|start|starting|started|launch|launching|launched|call|calling|called|invoke|use|via|with|command)\b[\s:"'(]{0,6}(?:the\s+)?(?:script\s+|command\s+|file\s+)?$/i;
const UNWANTED_HEAD =
  /^\s{0,3}(?:#{1,6}\s*|\*{1,2})?(?:expected|expectation|workaround|work-around|fix|possible fix|solution|suggested|what i expected)\b/i;
/** Reports longer than this are read up to here; a command further down is never the way to start. */
const MAX_TEXT = 400_000;
const MAX_MENTIONS = 100;

/** All command mentions of a report in the order of the text: list items, shell blocks, inline code and what the report reader found. */
export function findMentions(report: Report): CommandMention[] {
  const text = report.text.slice(0, MAX_TEXT);
  const fences = findFences(text);
  const raw = [...blockMentions(report, fences), ...inlineMentions(text, fences)];
  raw.push(...readerMentions(report, raw, fences), ...plainMentions(text, [...raw, ...fences]));
  raw.sort((a, b) => a.start - b.start);
  return withSurroundings(dropNested(raw), text, report);
}

type RawMention = Pick<CommandMention, 'text' | 'start' | 'end' | 'place'>;

function dropNested(mentions: RawMention[]): RawMention[] {
  const kept: RawMention[] = [];
  for (const mention of mentions) if (mention.start >= (kept.at(-1)?.end ?? -1)) kept.push(mention);
  return kept;
}

function blockMentions(report: Report, fences: Fence[]): RawMention[] {
  const out: RawMention[] = [];
  for (const fence of fences) {
    const known = report.codeBlocks.find((block) => block.span.start < fence.end && block.span.end > fence.start)?.language;
    if (
      known === 'python' ||
      known === 'diff' ||
      known === 'traceback' ||
      /^(?:py|python\d?|pycon|diff|ya?ml|json|toml|ini)$/.test(fence.language)
    )
      continue;
    const commands = blockCommands(
      fence.text,
      known === 'shell' || /^(?:sh|bash|shell|console|zsh|cmd|powershell|shell-session)$/.test(fence.language),
    );
    if (commands !== '') out.push({ text: commands, start: fence.start, end: fence.end, place: 'block' });
  }
  return out;
}

/** Command lines of a block. Where any line has a prompt, only such lines are commands and the rest is their output. */
function blockCommands(text: string, shell: boolean): string {
  const lines = joinContinuations(text).split('\n');
  const prompt =
    /^\s*(?:\([\w.-]{1,40}\)\s*)?(?:[\w.-]{1,40}@[\w.-]{1,40}[:\s][^$#\n]{0,80})?[$%]\s+|^\s*![ ]?(?=[a-z])|^\s*PS [^>\n]{0,100}>\s*/;
  const prompted = lines.filter((line) => prompt.test(line)).map((line) => line.replace(prompt, ''));
  if (prompted.length > 0) return prompted.join('\n');
  if (shell) return text;
  return lines.filter((line) => PROGRAM_START.test(line) && !/\.py["']?,? line \d|\.py:\d/.test(line)).join('\n');
}

function joinContinuations(text: string): string {
  return text.replaceAll('\\\n', ' ');
}

function inlineMentions(text: string, fences: Fence[]): RawMention[] {
  const out: RawMention[] = [];
  for (const match of text.matchAll(/(`{1,2})([^`\n]{1,400})\1|<code>()([^<\n]{1,400})<\/code>/g)) {
    if (out.length >= MAX_MENTIONS) break;
    const start = match.index;
    if (fences.some((fence) => start >= fence.start && start < fence.end)) continue;
    const code = (match[2] ?? match[4]!).trim();
    if (!PROGRAM_START.test(code) && !/^\s*\S{1,150}\.py\s+\S/.test(code)) continue;
    const bareFile = /^\S+\.py$/.test(code);
    if (bareFile && !RUN_VERB.test(text.slice(Math.max(0, start - 60), start))) continue;
    out.push({
      text: code.replace(/^[$%!]\s*/, ''),
      start,
      end: start + match[0].length,
      place: isListLine(text, start) ? 'step' : 'inline',
    });
  }
  return out;
}

/** Lines of prose that are a command without any marks, such as an indented `python train.py` or a list item. */
function plainMentions(text: string, taken: { start: number; end: number }[]): RawMention[] {
  const out: RawMention[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const start = offset;
    offset += line.length + 1;
    const item = LIST_ITEM.exec(line)?.[0] ?? /^\s*/.exec(line)![0];
    const mark = item + LABEL.exec(line.slice(item.length))![0];
    const body = line.slice(mark.length);
    if (
      body.length > 400 ||
      !/^(?:[$%]\s+)?(?:[A-Z_]{2,40}=\S{1,100}\s+){0,4}(?:python[\d.]{0,5}|torchrun|accelerate launch|pytest)\s+\S/.test(body)
    )
      continue;
    if (out.length >= MAX_MENTIONS) break;
    if (taken.some((other) => other.start < offset && other.end > start)) continue;
    out.push({
      text: body.replace(/^[$%]\s+/, '').replace(/[.,;:]$/, ''),
      start: start + mark.length,
      end: start + line.length,
      place: LIST_ITEM.test(line) ? 'step' : 'block',
    });
  }
  return out;
}

function readerMentions(report: Report, taken: RawMention[], fences: Fence[]): RawMention[] {
  return report.commands
    .slice(0, MAX_MENTIONS)
    .filter(({ span }) => ![...taken, ...fences].some((other) => other.start < span.end && other.end > span.start))
    .filter(({ text }) => PROGRAM_START.test(text.trim()))
    .map(({ text, span }) => ({
      text,
      start: span.start,
      end: span.end,
      place: isListLine(report.text, span.start) ? ('step' as const) : ('inline' as const),
    }));
}

function isListLine(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return LIST_ITEM.test(text.slice(lineStart, lineStart + 200));
}

function withSurroundings(mentions: RawMention[], text: string, report: Report): CommandMention[] {
  let group = 0;
  return mentions.map((mention, index) => {
    const previous = mentions[index - 1];
    const next = mentions[index + 1];
    const paragraphStart = Math.max(text.lastIndexOf('\n\n', mention.start) + 1, 0);
    const paragraphEnd = indexOr(text, '\n\n', mention.end, text.length);
    if (previous && !belongTogether(previous, mention, text)) group += 1;
    return {
      ...mention,
      group,
      before: text.slice(Math.max(paragraphStart, previous?.end ?? 0, mention.start - 400), mention.start),
      after: text.slice(mention.end, Math.min(paragraphEnd, next?.start ?? text.length, mention.end + 400)),
      standing: standingOf(mention, text, report),
    };
  });
}

/** Same list, same paragraph, or a list whose items have blocks of their own below them. */
function belongTogether(a: RawMention, b: RawMention, text: string): boolean {
  const between = text.slice(a.end, b.start);
  if (/\n\s{0,3}#{1,6}\s/.test(between)) return false;
  if (!between.includes('\n\n')) return true;
  return between.length < 600 && /(?:^|\n)\s{0,8}(?:\d{1,3}[.)]|step\s+\d)/i.test(between);
}

function standingOf(mention: RawMention, text: string, report: Report): CommandMention['standing'] {
  const stance = report.sentences.find(({ span }) => span.start <= mention.start && span.end > mention.start)?.stance;
  const head = lastHeading(text, mention.start);
  if (stance === 'expected' || (head !== null && UNWANTED_HEAD.test(head))) return 'unwanted';
  return stance === 'guess' ? 'guess' : 'usable';
}

/** The heading line, or a line like "Expected:", that the position stands under; null at the top. */
function lastHeading(text: string, at: number): string | null {
  const lines = text.slice(Math.max(0, at - 4000), at).split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index]!;
    if (/^\s{0,3}#{1,6}\s/.test(line) || /^\s{0,3}\*\*[^*\n]{1,60}\*\*:?\s*$/.test(line)) return line;
    // The mention's own paragraph may begin with such a word.
    if (UNWANTED_HEAD.test(line) && !lines.slice(index).some((below) => below.trim() === '')) return line;
  }
  return null;
}

function indexOr(text: string, needle: string, from: number, fallback: number): number {
  const at = text.indexOf(needle, from);
  return at === -1 ? fallback : at;
}
