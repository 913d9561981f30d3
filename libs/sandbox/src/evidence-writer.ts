import { createHash } from 'node:crypto';
import type { EvidenceRecord } from '@reenact/domain';

/** A record as a test or a fake scripts it: sequence, time and source are filled in when they are left out. */
export type ScriptedRecord = EvidenceRecord extends infer R
  ? R extends EvidenceRecord
    ? Omit<R, 'seq' | 't' | 'source'> & Partial<Pick<R, 't' | 'source'>>
    : never
  : never;

/**
 * Bytes of a whole evidence stream from records without their frame: sequence numbers from 0, times rising by 0.01 s
 * where none is given, and an END record with count and checksum. The BEGIN record is the caller's.
 *
 * @param endSeconds time of the END record; default: the next of the rising ones.
 */
export function formatEvidence(records: readonly ScriptedRecord[], leftBehind = 0, endSeconds = records.length / 100): Uint8Array {
  const lines = records.map((record, seq) => `${toAscii({ t: seq / 100, source: 'supervisor', ...record, seq })}\n`);
  const body = Buffer.from(lines.join(''), 'latin1');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const end = {
    seq: records.length,
    t: endSeconds,
    source: 'supervisor',
    kind: 'end',
    records: records.length,
    sha256,
    leftBehind,
  };
  return Buffer.concat([body, Buffer.from(`${toAscii(end)}\n`, 'latin1')]);
}

/** Of newer JavaScript; the compiler's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** JSON in ASCII, as the supervisor writes it: a negative zero keeps its sign, which JSON.stringify drops. */
function toAscii(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (Object.is(part, -0) ? rawJSON('-0.0') : part));
  return text.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
