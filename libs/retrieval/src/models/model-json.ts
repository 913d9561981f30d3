import { readFile, stat } from 'node:fs/promises';
import { AppError } from '@reenact/domain';

/** Tokenisers with 250,000 pieces have about 20 MB. */
const LARGEST_BYTES = 64 * 1024 ** 2;

/**
 * A JSON object of a model directory; null where the file is not there.
 * @throws AppError `config-invalid` where it is no JSON object or too big.
 */
export async function readRecord(file: string): Promise<Record<string, unknown> | null> {
  const text = await readModelText(file);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // told below: what the parser says would show pieces of the file
  }
  throw new AppError('config-invalid', `${file} is not a JSON object.`, { hint: 'Fetch the model again.' });
}

/** A text file of a model directory; null where it is not there. Errors as `readRecord`. */
export async function readModelText(file: string): Promise<string | null> {
  const status = await stat(file).catch(() => null);
  if (status === null) return null;
  if (status.size > LARGEST_BYTES) {
    throw new AppError('config-invalid', `${file} has more than ${LARGEST_BYTES} bytes.`, { hint: 'Is it the right directory?' });
  }
  return readFile(file, 'utf8');
}

/** The value where it is an object, else an empty one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
