import type { EvidenceRecord } from '@reenact/domain';
/** A record as a test or a fake scripts it: sequence, time and source are filled in when they are left out. */
export type ScriptedRecord = EvidenceRecord extends infer R ? R extends EvidenceRecord ? Omit<R, 'seq' | 't' | 'source'> & Partial<Pick<R, 't' | 'source'>> : never : never;
/**
 * Bytes of a whole evidence stream from records without their frame: sequence numbers from 0, times rising by 0.01 s
 * where none is given, and an END record with count and checksum. The BEGIN record is the caller's.
 */
export declare function formatEvidence(records: readonly ScriptedRecord[], leftBehind?: number): Uint8Array;
//# sourceMappingURL=evidence-writer.d.ts.map