import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5;
const POLL_MILLISECONDS = 50;

/**
 * Runs `work` while no other process (or caller in this one) runs one for the same file. The lock is a transaction on a database beside
 * the file, so the operating system ends it with its holder: a crash leaves none behind. `onWait` is told once when there is a holder.
 * @throws the signal's reason when it is aborted while waiting.
 */
export async function withWriterLock<T>(
  file: string,
  { onWait, signal }: { onWait: () => void; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    for (let tries = 0; !take(lock); tries++) {
      if (tries === 0) onWait();
      await sleep(POLL_MILLISECONDS, undefined, signal === undefined ? {} : { signal });
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** Runs `work` if nobody holds the lock, and answers whether it did. */
export function ifLockFree(file: string, work: () => void): boolean {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    const isFree = take(lock);
    if (isFree) work();
    return isFree;
  } finally {
    lock.close();
  }
}

/** Takes the lock if it is free; it is kept until the handle is closed. */
function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return false;
    throw error;
  }
}
