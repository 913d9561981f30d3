import { AppError } from '@reenact/domain';

const PATTERN_LIMIT = 1_000;
/** Longest line that a pattern is tried on, in UTF-16 units; what comes after is not seen. */
export const LINE_LIMIT = 8_192;
/** Longest text that a pattern over several lines is tried on. */
export const TEXT_LIMIT = 262_144;
/** Unbounded quantifiers one after the other cost a power of the text's length each: three are slow, not endless. */
const UNBOUNDED_LIMIT = 12;
const REPEAT_LIMIT = 1_000;

interface Group {
  /** Something inside repeats, or branches: repeating the group as a whole may then explode. */
  repeats: boolean;
  branches: boolean;
}

/** Where the class that begins at `start` ends; classes hold no quantifiers. */
function endOfClass(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === '^') at += 1;
  if (source[at] === ']') at += 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at;
}

/** The quantifier at `at`: its length, and whether it may repeat more than once, and without bound. */
function quantifierAt(source: string, at: number): { length: number; repeats: boolean; unbounded: boolean } | null {
  const sign = source[at];
  if (sign === '*' || sign === '+') return { length: 1, repeats: true, unbounded: true };
  if (sign === '?') return { length: 1, repeats: false, unbounded: false };
  const braces = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(source.slice(at, at + 16));
  if (!braces) return null;
  const least = Number(braces[1]);
  const most = braces[2] === undefined ? least : braces[3] ? Number(braces[3]) : Infinity;
  if (least > REPEAT_LIMIT || (most !== Infinity && most > REPEAT_LIMIT)) throw invalid(source, 'a repeat count above 1000');
  return { length: braces[0].length, repeats: most > 1, unbounded: most === Infinity };
}

function invalid(pattern: string, why: string): AppError {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern;
  return new AppError('oracle-invalid', `the pattern /${shown}/ cannot be used: ${why}`, { hint: 'write it without nested repetition, or look for a fixed text' });
}

/**
 * Refuses shapes that can take exponential time: a repeated group that itself repeats or branches, and back references.
 * What stays is polynomial in the line's length, which is capped.
 */
function assertNotCatastrophic(source: string): void {
  const open: Group[] = [{ repeats: false, branches: false }];
  let unbounded = 0;
  let at = 0;
  while (at < source.length) {
    const sign = source[at];
    let closed: Group | null = null;
    if (sign === '\\') {
      if (/[1-9k]/.test(source[at + 1] ?? '')) throw invalid(source, 'a back reference');
      at += 2;
    } else if (sign === '[') at = endOfClass(source, at) + 1;
    else if (sign === '(') {
      open.push({ repeats: false, branches: false });
      at += 1;
      if (source[at] === '?') at += 1;
      continue;
    } else if (sign === ')') {
      closed = open.length > 1 ? (open.pop() ?? null) : null;
      at += 1;
    } else {
      if (sign === '|') for (const group of open) group.branches = true;
      at += 1;
      if (sign === '|') continue;
    }
    const quantifier = quantifierAt(source, at);
    const inner = open.at(-1);
    if (quantifier) at += quantifier.length + (source[at + quantifier.length] === '?' ? 1 : 0);
    if (quantifier?.unbounded) unbounded += 1;
    if (closed && quantifier?.repeats && (closed.repeats || closed.branches)) throw invalid(source, 'a repeated group that repeats or branches inside');
    if (inner && (quantifier?.repeats || closed?.repeats)) inner.repeats = true;
  }
  if (unbounded > UNBOUNDED_LIMIT) throw invalid(source, 'too many repetitions');
}

/**
 * Compiles a pattern that came from a report or a model. Flags `i`, `m`, `s`, `u` are kept.
 * @throws AppError `oracle-invalid`: too long, no valid expression, or able to take exponential time
 */
export function compilePattern(source: string, flags = ''): RegExp {
  if (source.length > PATTERN_LIMIT) throw invalid(source, `longer than ${PATTERN_LIMIT} characters`);
  const inline = /^\(\?([ims]+)\)/.exec(source);
  const body = inline ? source.slice(inline[0].length) : source;
  const allFlags = [...new Set(`${flags}${inline?.[1] ?? ''}g`)].join('');
  assertNotCatastrophic(body);
  try {
    return new RegExp(body, allFlags);
  } catch (error) {
    throw invalid(source, error instanceof Error ? error.message : 'not a regular expression');
  }
}

/** All matches of a compiled pattern in one capped text; an empty match counts once per place. */
export function matchesIn(pattern: RegExp, text: string, limit: number = LINE_LIMIT): RegExpExecArray[] {
  return [...text.slice(0, limit).matchAll(pattern)] as RegExpExecArray[];
}

/** Whether the pattern is meant for more than one line. */
export function spansLines(pattern: RegExp): boolean {
  return pattern.flags.includes('s') || /\\n|\\r|\n|\[\\s\\S\]|\[\\S\\s\]/.test(pattern.source);
}
