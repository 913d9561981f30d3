import type { EvidenceRecord } from '@reenact/domain';
import type { ExcerptRecord } from './result-material.js';

/** Records that tell what went on around a named one. */
const TELLING: ReadonlySet<EvidenceRecord['kind']> = new Set(['stream', 'obs', 'exception', 'warning', 'stall', 'exit']);
const FRAME: ReadonlySet<EvidenceRecord['kind']> = new Set(['begin', 'environment', 'exit', 'end']);
const BEFORE = 14;
const AFTER = 2;
const MAX_RECORDS = 120;
/** Longest record that is copied as it is; a bigger one is named with its size. */
const MAX_RECORD_BYTES = 256 * 1024;

/**
 * What to show of one trial: how it began and ended, the named records and a few lines around each. At most 120 records, the named
 * ones first in line. Pure; the order is that of the stream, lines count from 1.
 */
export function excerptRecords(records: readonly EvidenceRecord[], named: ReadonlySet<number>): ExcerptRecord[] {
  const kept = new Set<number>();
  for (const { seq, kind } of records) if (FRAME.has(kind) || named.has(seq)) kept.add(seq);
  const telling = records.filter(({ kind }) => TELLING.has(kind));
  const around = [...named].flatMap((seq) => {
    const at = telling.findIndex((record) => record.seq >= seq);
    return at < 0 ? [] : telling.slice(Math.max(0, at - BEFORE), at + AFTER + 1).map((record) => record.seq);
  });
  // without any named record, the last lines say most
  const last = named.size > 0 ? [] : telling.slice(-BEFORE).map(({ seq }) => seq);
  for (const seq of [...around, ...last]) if (kept.size < MAX_RECORDS) kept.add(seq);
  return records
    .filter(({ seq }) => kept.has(seq))
    .slice(0, MAX_RECORDS)
    .map((record, index) => ({ line: index + 1, record }));
}

/** The excerpt as JSON lines; each record keeps the sequence number that it has in the whole stream. */
export function excerptLines(records: readonly ExcerptRecord[]): string {
  return records.map(({ record }) => `${boundedJson(record)}\n`).join('');
}

function boundedJson(record: EvidenceRecord): string {
  const json = JSON.stringify(record);
  if (json.length <= MAX_RECORD_BYTES) return json;
  const { seq, t, source, kind } = record;
  return JSON.stringify({ seq, t, source, kind, leftOut: `${json.length} characters` });
}
