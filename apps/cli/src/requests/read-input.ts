import { readFile, stat } from 'node:fs/promises';
import { AppError } from '@reenact/domain';

/** More than any report that people write; a bigger one is refused before it is read. */
export const MAX_REPORT_BYTES = 64_000_000;

/** Reads a file that the user named. @throws AppError `report-unreadable` or `usage` where there is none, or it is too big. */
export async function readInput(file: string, { what, maxBytes }: { what: string; maxBytes: number }): Promise<Uint8Array> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile())
    throw new AppError(what === 'report' ? 'report-unreadable' : 'usage', `There is no ${what} ${file}.`);
  if (found.size > maxBytes)
    throw new AppError(
      what === 'report' ? 'report-unreadable' : 'usage',
      `The ${what} ${file} has ${found.size} bytes; at most ${maxBytes} are read.`,
    );
  return readFile(file);
}
