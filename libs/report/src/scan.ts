import type { Span } from '@reenact/domain';

/** All matches of a global pattern, at most `limit`. */
export function findAll(pattern: RegExp, text: string, limit = 500): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && found.length < limit; match = pattern.exec(text)) {
    found.push(match);
    if (match[0].length === 0) pattern.lastIndex += 1;
  }
  pattern.lastIndex = 0;
  return found;
}

/** Span of a whole match within a text whose first character stands at `offset`. */
export function spanOf(match: RegExpExecArray, offset = 0): Span {
  return { start: offset + match.index, end: offset + match.index + match[0].length };
}

/** Span of the first occurrence of `part` within a match; the whole match when it is not there. */
export function spanWithin(match: RegExpExecArray, part: string, offset = 0): Span {
  const at = match[0].indexOf(part);
  if (at < 0) return spanOf(match, offset);
  return { start: offset + match.index + at, end: offset + match.index + at + part.length };
}

/** True when the two spans share at least one character. */
export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Keeps the first of entries with an equal key. */
export function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const k = key(item);
    if (seen.has(k)) return false;
    seen.add(k);
    return true;
  });
}
