import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '@reenact/domain';
import { EvidenceRecord } from '@reenact/domain/schemas';
/**
 * Reads an `evidence.jsonl` and checks it whole: every line against the schema, sequence numbers without gaps, one END
 * record at the end whose count and SHA-256 cover everything before it.
 * @throws AppError `sandbox-failed` when the file is missing, torn or forged.
 */
export async function readEvidence(path) {
    let bytes;
    try {
        bytes = await readFile(path);
    }
    catch (cause) {
        throw new AppError('sandbox-failed', `evidence ${path} cannot be read`, { cause });
    }
    return parseEvidence(bytes);
}
/**
 * The records of an evidence stream given as bytes; the same checks as `readEvidence`.
 * @throws AppError `sandbox-failed` when the stream is torn or forged.
 */
export function parseEvidence(bytes) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    if (!text.endsWith('\n'))
        throw torn('it does not end with a whole line');
    const lastLineStart = text.lastIndexOf('\n', text.length - 2) + 1;
    const records = text
        .slice(0, -1)
        .split('\n')
        .map((line, index) => parseLine(line, index));
    const end = records.at(-1);
    if (end?.kind !== 'end')
        throw torn('the END record is missing');
    if (records.filter((record) => record.kind === 'end').length !== 1)
        throw torn('an END record stands before the end');
    if (records[0]?.kind !== 'begin')
        throw torn('the BEGIN record is missing');
    if (end.records !== records.length - 1)
        throw torn(`END counts ${end.records} records, there are ${records.length - 1}`);
    const digest = createHash('sha256').update(bytes.subarray(0, lastLineStart)).digest('hex');
    if (digest !== end.sha256)
        throw torn('the checksum of the END record does not match');
    return records;
}
function parseLine(line, index) {
    let value;
    try {
        value = JSON.parse(line);
    }
    catch (cause) {
        throw torn(`line ${index + 1} is no JSON`, cause);
    }
    const parsed = EvidenceRecord.safeParse(value);
    if (!parsed.success)
        throw torn(`line ${index + 1} does not fit the schema: ${parsed.error.issues[0]?.message ?? ''}`);
    if (parsed.data.seq !== index)
        throw torn(`line ${index + 1} has the sequence number ${parsed.data.seq}`);
    return parsed.data;
}
function torn(what, cause) {
    return new AppError('sandbox-failed', `the evidence stream is not whole: ${what}`, { cause });
}
//# sourceMappingURL=evidence-reader.js.map