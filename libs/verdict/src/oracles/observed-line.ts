import type { EvidenceOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { carries, comparable, type Comparable, fieldOf } from './observed-value.js';

/** One observation of a name, with what else stands on its line. */
export interface ObservedLine {
  seq: number;
  value: Comparable;
  /** Rank on the line, else that of the record. */
  rank: Comparable;
  /** Process, rank and launch step: values of one series share it. */
  source: string;
  record: EvidenceOf<'obs'>;
  text: string;
}

/** Which process of which launch step a record is of. */
export function processOf(record: { pid?: number | undefined; rank?: number | undefined; step?: number | undefined }): string {
  return `${record.step ?? ''}/${record.rank ?? ''}/${record.pid ?? ''}`;
}

/** The observations of a name, in order, on lines that carry what `where` asks for. */
export function observedLines(view: EvidenceView, name: string, where?: Record<string, unknown>): ObservedLine[] {
  return view.observations
    .filter((record) => Object.hasOwn(record.values, name) && carries(record, where))
    .map((record) => {
      const rank = comparable(fieldOf(record, 'rank') ?? null);
      return {
        seq: record.seq,
        value: comparable(record.values[name]),
        rank,
        source: `${processOf(record)}/${JSON.stringify(rank)}`,
        record,
        text: `OBS ${JSON.stringify(record.values)}`,
      };
    });
}

/** The value of a field that stands on the line itself; undefined where it does not. */
export function ownField(line: ObservedLine, name: string): Comparable | undefined {
  return Object.hasOwn(line.record.values, name) ? comparable(line.record.values[name]) : undefined;
}

/** Whether values of several processes or ranks are mixed, which are no series and no repeats of each other. */
export function mixesProcesses(lines: readonly { source: string }[]): boolean {
  return new Set(lines.map(({ source }) => source)).size > 1;
}

export const MIXED_NOTE = 'values of several processes or ranks are mixed; `where` must choose one rank';
