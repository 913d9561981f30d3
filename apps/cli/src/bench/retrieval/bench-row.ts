/** Rows of the bench, in the order in which they run. */
export const RETRIEVAL_ROWS = [
  'parse',
  'index',
  'lexical',
  'scan',
  'hybrid',
  'changes',
  'docstrings',
  'dense',
  'reports',
  'cluster',
  'kills',
] as const;
export type RetrievalRow = (typeof RETRIEVAL_ROWS)[number];

/** `told`: a figure without a bar. `not there yet`: what is to be measured does not exist, or could not be had. */
export type RowMark = 'holds' | 'falls short' | 'told' | 'not there yet';

/** One line of the table. */
export interface BenchLine {
  row: RetrievalRow;
  measure: string;
  /** What was measured, in words. */
  value: string;
  /** What is asked; empty where nothing is. */
  bar: string;
  mark: RowMark;
  /** The numbers behind it; wall times gate nothing. */
  figures: Record<string, number>;
}

export interface RetrievalBenchResult {
  schemaVersion: 1;
  lines: BenchLine[];
  /** Every row with a bar meets it, and none is missing. */
  holds: boolean;
}

/** A line whose measured value decides. */
export function weighedLine(line: Omit<BenchLine, 'mark'>, holds: boolean): BenchLine {
  return { ...line, mark: holds ? 'holds' : 'falls short' };
}

/** A line for what cannot be measured, with the reason in the place of the value. */
export function missingLine(row: RetrievalRow, measure: string, reason: string): BenchLine {
  return { row, measure, value: reason, bar: '', mark: 'not there yet', figures: {} };
}

/** The result over all lines: what falls short or is missing makes it fail. */
export function weighRetrieval(lines: BenchLine[]): RetrievalBenchResult {
  const holds = lines.length > 0 && lines.every(({ mark }) => mark === 'holds' || mark === 'told');
  return { schemaVersion: 1, lines, holds };
}
