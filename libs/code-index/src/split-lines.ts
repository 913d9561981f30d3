/** A point where a chunk may be cut: the line that begins the next part (from 1), and how deep its statement is nested. */
export interface CutPoint {
  line: number;
  depth: number;
}

/** Lines from 1, both inclusive. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

/** A longer chunk is split at its statements (method.md section 1.1–1.2). */
export const LONGEST_CHUNK_LINES = 120;
const SHORTEST_PART_LINES = 40;
/** Windows over text that does not parse (method.md section 1.1–1.2). */
const WINDOW_LINES = 60;
const WINDOW_STRIDE = 40;

/** Cuts a range into parts of at most 120 lines, at the least nested statement, and at the last of those. */
export function splitAtStatements(range: LineRange, cutPoints: CutPoint[]): LineRange[] {
  const parts: LineRange[] = [];
  let start = range.startLine;
  while (range.endLine - start + 1 > LONGEST_CHUNK_LINES) {
    const next = bestCut(start, cutPoints);
    parts.push({ startLine: start, endLine: next - 1 });
    start = next;
  }
  parts.push({ startLine: start, endLine: range.endLine });
  return parts;
}

function bestCut(start: number, cutPoints: CutPoint[]): number {
  let best: CutPoint | null = null;
  for (const point of cutPoints) {
    if (point.line < start + SHORTEST_PART_LINES || point.line > start + LONGEST_CHUNK_LINES) continue;
    if (best === null || point.depth < best.depth || (point.depth === best.depth && point.line > best.line)) best = point;
  }
  return best?.line ?? start + LONGEST_CHUNK_LINES;
}

/** Overlapping windows of 60 lines, each 40 lines after the one before; the last one ends at the range's end. */
export function windowsOf(range: LineRange): LineRange[] {
  const windows: LineRange[] = [];
  for (let start = range.startLine; ; start += WINDOW_STRIDE) {
    const end = Math.min(start + WINDOW_LINES - 1, range.endLine);
    windows.push({ startLine: start, endLine: end });
    if (end >= range.endLine) return windows;
  }
}

/** The range without blank lines at both ends; null when nothing is left. */
export function trimBlank(range: LineRange, lines: string[]): LineRange | null {
  let { startLine, endLine } = range;
  while (startLine <= endLine && (lines[startLine - 1] ?? '').trim() === '') startLine++;
  while (endLine >= startLine && (lines[endLine - 1] ?? '').trim() === '') endLine--;
  return startLine <= endLine ? { startLine, endLine } : null;
}

/** The parts of `whole` that no range of `taken` covers; `taken` is sorted by its start. */
export function uncovered(whole: LineRange, taken: LineRange[]): LineRange[] {
  const free: LineRange[] = [];
  let next = whole.startLine;
  for (const range of taken) {
    if (range.startLine > next) free.push({ startLine: next, endLine: range.startLine - 1 });
    next = Math.max(next, range.endLine + 1);
  }
  if (next <= whole.endLine) free.push({ startLine: next, endLine: whole.endLine });
  return free;
}
