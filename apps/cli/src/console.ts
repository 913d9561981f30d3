import type { ReporterOutput } from '@reenact/reporting';

/** How this process speaks: data on standard output, talk on standard error. */
export interface Console extends ReporterOutput {
  /** Colours and moving lines are wanted. */
  color: boolean;
  /** Standard error is a terminal. */
  isTerminal: boolean;
}

/** Writes a value as the one JSON object of a command. */
export function writeJson(console: Console, value: unknown): void {
  console.data(`${JSON.stringify(value, null, 2)}\n`);
}

/** Rows as columns, padded; the last column is left as it is. */
export function columns(rows: readonly (readonly string[])[]): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === count - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
