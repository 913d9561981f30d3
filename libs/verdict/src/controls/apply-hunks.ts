import { AppError } from '@reenact/domain';
import type { Hunk } from './patch-text.js';

export interface HunkResult {
  text: string;
  removedLines: number[];
  addedLines: number[];
}

/**
 * Applies hunks to a text in order, fuzz 0. A hunk may sit at another line than stated; the nearest place after the
 * hunk before it counts. Where the text ends its lines with CR LF and the diff does not, line ends are not compared
 * and added lines take the text's.
 * @param name file name for messages
 * @param text byte string
 * @throws AppError `patch-does-not-apply`
 */
export function applyHunks(name: string, text: string, hunks: Hunk[]): HunkResult {
  const lines = splitLines(text);
  const output: string[] = [];
  const result: HunkResult = { text: '', removedLines: [], addedLines: [] };
  let cursor = 0;
  let offset = 0;
  for (const hunk of hunks) {
    const expected = hunk.lines.filter((line) => line.kind !== '+').map((line) => line.text);
    const stated = hunk.oldStart - (expected.length > 0 ? 1 : 0);
    const found = locate(lines, expected, stated + offset, cursor);
    if (found === null) {
      throw new AppError('patch-does-not-apply', `${name}: hunk ${hunk.number} (line ${hunk.oldStart}) does not fit the file`, {
        hint: 'the patch must be made against this very revision',
      });
    }
    offset = found.at - stated;
    output.push(...lines.slice(cursor, found.at));
    cursor = copyHunk({ lines, output, result }, hunk, found);
  }
  output.push(...lines.slice(cursor));
  result.text = output.join('');
  return result;
}

interface Place {
  at: number;
  /** Line ends were left out of the comparison. */
  loose: boolean;
}

function copyHunk(state: { lines: string[]; output: string[]; result: HunkResult }, hunk: Hunk, place: Place): number {
  let cursor = place.at;
  for (const line of hunk.lines) {
    if (line.kind === '+') {
      state.output.push(place.loose ? line.text.replace(/\r?\n$/, '\r\n') : line.text);
      state.result.addedLines.push(state.output.length);
      continue;
    }
    if (line.kind === ' ') state.output.push(state.lines[cursor] ?? '');
    else state.result.removedLines.push(cursor + 1);
    cursor += 1;
  }
  return cursor;
}

function locate(lines: string[], expected: string[], wanted: number, from: number): Place | null {
  // An insertion without context has nothing to look for: only its stated place is right.
  if (expected.length === 0) {
    const fits = wanted >= from && wanted <= lines.length;
    return fits ? { at: wanted, loose: lines.some((line) => line.endsWith('\r\n')) } : null;
  }
  const last = lines.length - expected.length;
  for (const loose of [false, true]) {
    for (let distance = 0; distance <= lines.length; distance++) {
      const places = distance === 0 ? [wanted] : [wanted - distance, wanted + distance];
      const at = places.find((place) => place >= from && place <= last && matches(lines, expected, { at: place, loose }));
      if (at !== undefined) return { at, loose };
    }
  }
  return null;
}

function matches(lines: string[], expected: string[], place: Place): boolean {
  return expected.every((text, index) => {
    const line = lines[place.at + index] ?? '';
    return line === text || (place.loose && line.replace(/\r\n$/, '\n') === text.replace(/\r\n$/, '\n'));
  });
}

/** Splits after every line feed; the last line may have none. */
function splitLines(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}
