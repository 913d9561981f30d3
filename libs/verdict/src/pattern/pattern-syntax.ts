/** Syntax tree of a pattern. Atoms and assertions are regular expressions of their own that look at one place only. */
export type PatternNode =
  | { type: 'literal'; text: string }
  | { type: 'one'; test: RegExp }
  | { type: 'assert'; test: RegExp }
  | { type: 'sequence'; items: PatternNode[] }
  | { type: 'choice'; branches: PatternNode[] }
  | { type: 'repeat'; item: PatternNode; least: number; most: number; greedy: boolean }
  /** Only the first capturing group is kept. */
  | { type: 'capture'; item: PatternNode };

/** Why a pattern cannot be used, in words; the caller makes an error of it. */
export class UnusablePattern extends Error {}

const REPEAT_LIMIT = 1_000;
const DEPTH_LIMIT = 40;

interface Cursor {
  source: string;
  at: number;
  flags: string;
  captures: number;
  depth: number;
}

function fixedFlags(flags: string): string {
  return `${flags.replaceAll(/[gy]/g, '')}y`;
}

/** Index after the class that begins at `start`. */
function endOfClass(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Length of the escape that begins with a backslash at `at`. */
function escapeLength(source: string, at: number): number {
  const rest = source.slice(at, at + 40);
  const long = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[pP]\{[^}]{1,30}\}|c[A-Za-z])/.exec(rest);
  return long ? long[0].length : 2;
}

function readEscape(cursor: Cursor): PatternNode {
  const { source, at, flags } = cursor;
  const length = escapeLength(source, at);
  const escape = source.slice(at, at + length);
  cursor.at += length;
  if (/^\\[1-9k]/.test(escape)) throw new UnusablePattern('back references are not taken');
  if (escape === '\\b' || escape === '\\B') return { type: 'assert', test: new RegExp(escape, fixedFlags(flags)) };
  if (/^\\[^A-Za-z0-9]$/.test(escape)) return { type: 'literal', text: escape.slice(1) };
  return { type: 'one', test: new RegExp(escape, fixedFlags(flags)) };
}

/** Index after the group that begins at `start`. */
function endOfGroup(source: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < source.length) {
    if (source[at] === '[') at = endOfClass(source, at) - 1;
    else if (source[at] === '\\') at += 1;
    else if (source[at] === '(') depth += 1;
    else if (source[at] === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  throw new UnusablePattern('a group has no end');
}

/** A look around is kept where it is short and bounded, so that trying it at one place costs little. */
function readLookAround(cursor: Cursor): PatternNode {
  const end = endOfGroup(cursor.source, cursor.at);
  const text = cursor.source.slice(cursor.at, end);
  const outsideClasses = text
    .slice(3)
    .replaceAll(/\\./g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x');
  if (text.length > 60 || /[*+{(]/.test(outsideClasses))
    throw new UnusablePattern('a look around may hold a short text without repetition only');
  cursor.at = end;
  return { type: 'assert', test: new RegExp(text, fixedFlags(cursor.flags)) };
}

function readGroup(cursor: Cursor): PatternNode {
  const rest = cursor.source.slice(cursor.at, cursor.at + 60);
  if (/^\(\?<?[=!]/.test(rest)) return readLookAround(cursor);
  const opening = /^\((?:\?:|\?<[A-Za-z_$][\w$]{0,40}>)?/.exec(rest)?.[0] ?? '(';
  if (rest.startsWith('(?') && opening === '(') throw new UnusablePattern('this kind of group is not taken');
  cursor.at += opening.length;
  const isCapture = opening !== '(?:';
  if (isCapture) cursor.captures += 1;
  const isFirst = isCapture && cursor.captures === 1;
  const item = readChoice(cursor);
  if (cursor.source[cursor.at] !== ')') throw new UnusablePattern('a group has no end');
  cursor.at += 1;
  return isFirst ? { type: 'capture', item } : item;
}

function readAtom(cursor: Cursor): PatternNode {
  const sign = cursor.source[cursor.at] ?? '';
  if (sign === '\\') return readEscape(cursor);
  if (sign === '(') return readGroup(cursor);
  if (sign === '[') {
    const end = endOfClass(cursor.source, cursor.at);
    const test = new RegExp(cursor.source.slice(cursor.at, end), fixedFlags(cursor.flags));
    cursor.at = end;
    return { type: 'one', test };
  }
  cursor.at += 1;
  if (sign === '^' || sign === '$') return { type: 'assert', test: new RegExp(sign, fixedFlags(cursor.flags)) };
  if (sign === '.') return { type: 'one', test: new RegExp('.', fixedFlags(cursor.flags)) };
  return { type: 'literal', text: sign };
}

function readQuantifier(cursor: Cursor, item: PatternNode): PatternNode {
  const found = /^(?:[*+?]|\{(\d{1,6})(,(\d{0,6}))?\})(\??)/.exec(cursor.source.slice(cursor.at, cursor.at + 20));
  if (!found) return item;
  cursor.at += found[0].length;
  const sign = found[0][0];
  const counted = Number(found[1] ?? 0);
  const least = sign === '+' ? 1 : sign === '{' ? counted : 0;
  const countedMost = found[2] === undefined ? counted : found[3] ? Number(found[3]) : Infinity;
  const most = sign === '?' ? 1 : sign === '{' ? countedMost : Infinity;
  if (least > REPEAT_LIMIT || (most !== Infinity && most > REPEAT_LIMIT))
    throw new UnusablePattern(`a repeat count is above ${REPEAT_LIMIT}`);
  return { type: 'repeat', item, least, most, greedy: found[4] !== '?' };
}

function readSequence(cursor: Cursor): PatternNode {
  const items: PatternNode[] = [];
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== '|' && cursor.source[cursor.at] !== ')') {
    items.push(readQuantifier(cursor, readAtom(cursor)));
  }
  return { type: 'sequence', items };
}

function readChoice(cursor: Cursor): PatternNode {
  cursor.depth += 1;
  if (cursor.depth > DEPTH_LIMIT) throw new UnusablePattern('groups lie too deep in one another');
  const branches = [readSequence(cursor)];
  while (cursor.source[cursor.at] === '|') {
    cursor.at += 1;
    branches.push(readSequence(cursor));
  }
  cursor.depth -= 1;
  return branches.length === 1 && branches[0] ? branches[0] : { type: 'choice', branches };
}

/** Reads a pattern that `RegExp` takes into a tree. @throws UnusablePattern for what cannot be matched in linear time */
export function parsePattern(source: string, flags: string): PatternNode {
  const cursor: Cursor = { source, at: 0, flags, captures: 0, depth: 0 };
  const node = readChoice(cursor);
  if (cursor.at < source.length) throw new UnusablePattern('a bracket closes that was never opened');
  return node;
}
