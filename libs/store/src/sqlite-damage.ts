/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html). */
const DAMAGED_CODES: readonly number[] = [11, 26];

/** True for an error of SQLite that says that the file is torn or no database; the low byte of an extended code is its primary one. */
export function isDamaged(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' && DAMAGED_CODES.includes(code & 0xff);
}
