import { alignColumns } from '../align-columns.js';
import { missingLine, RETRIEVAL_ROWS, weighRetrieval } from './bench-row.js';
import type { BenchLine, RetrievalBenchResult, RetrievalRow } from './bench-row.js';
import type { MakeRow, RowContext } from './row-context.js';
import { changesRow } from './rows/changes-row.js';
import { clusterRow } from './rows/cluster-row.js';
import { denseRow } from './rows/dense-row.js';
import { docstringsRow } from './rows/docstrings-row.js';
import { hybridRow } from './rows/hybrid-row.js';
import { indexRow } from './rows/index-row.js';
import { lexicalRow } from './rows/lexical-row.js';
import { killsRow } from './rows/kills-row.js';
import { parseRow } from './rows/parse-row.js';
import { reportsRow } from './rows/reports-row.js';
import { scanRow } from './rows/scan-row.js';

const MAKERS: Record<RetrievalRow, MakeRow> = {
  parse: parseRow,
  index: indexRow,
  lexical: lexicalRow,
  scan: scanRow,
  hybrid: hybridRow,
  changes: changesRow,
  docstrings: docstringsRow,
  dense: denseRow,
  reports: reportsRow,
  cluster: clusterRow,
  kills: killsRow,
};

/** Makes the chosen rows one after another, since they are measured by the clock; a row that fails is a line of its own. */
export async function runRetrievalBench(
  only: readonly RetrievalRow[],
  context: RowContext,
  onLine: (line: BenchLine) => void,
): Promise<RetrievalBenchResult> {
  const lines: BenchLine[] = [];
  for (const row of RETRIEVAL_ROWS) {
    if (only.length > 0 && !only.includes(row)) continue;
    context.report(`row ${row}`);
    const made = await MAKERS[row](context).catch((error: Error) => [missingLine(row, 'the row failed', error.message)]);
    lines.push(...made);
    for (const line of made) onLine(line);
  }
  return weighRetrieval(lines);
}

/** The table for people. */
export function renderRetrieval(result: RetrievalBenchResult): string {
  const header = ['row', 'measure', 'measured', 'bar', ''];
  const rows = result.lines.map(({ row, measure, value, bar, mark }) => [row, measure, value, bar, mark === 'told' ? '' : mark]);
  return [
    ...alignColumns([header, ...rows]),
    '',
    `ratios and counts decide, times are told: ${result.holds ? 'holds' : 'falls short'}`,
  ].join('\n');
}
