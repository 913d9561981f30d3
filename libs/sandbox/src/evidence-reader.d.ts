import { EvidenceRecord } from '@reenact/domain/schemas';
/**
 * Reads an `evidence.jsonl` and checks it whole: every line against the schema, sequence numbers without gaps, one END
 * record at the end whose count and SHA-256 cover everything before it.
 * @throws AppError `sandbox-failed` when the file is missing, torn or forged.
 */
export declare function readEvidence(path: string): Promise<EvidenceRecord[]>;
/**
 * The records of an evidence stream given as bytes; the same checks as `readEvidence`.
 * @throws AppError `sandbox-failed` when the stream is torn or forged.
 */
export declare function parseEvidence(bytes: Uint8Array): EvidenceRecord[];
//# sourceMappingURL=evidence-reader.d.ts.map