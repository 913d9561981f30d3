import { mkdirSync, statSync, unlinkSync } from 'node:fs';
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
  let lock = openLock(file);
  try {
    for (let tries = 0; ; tries++) {
      const isFree = take(lock.database);
      const isCurrent = inodeOf(file) === lock.inode;
      if (isFree && isCurrent) break;
      if (tries === 0) onWait();
      if (!isCurrent) {
        // A holder that collects the whole repository takes the lock's file away: a lock on that would lock nothing.
        lock.database.close();
        lock = openLock(file);
        continue;
      }
      await sleep(POLL_MILLISECONDS, undefined, signal === undefined ? {} : { signal });
    }
    return await work();
  } finally {
    lock.database.close();
  }
}

/** Runs `work` if nobody holds the lock, and answers whether it did. `removesLock`: the lock's file goes as well, before it is free. */
export function ifLockFree(file: string, work: () => void, { removesLock = false } = {}): boolean {
  const { database } = openLock(file);
  try {
    const isFree = take(database);
    if (isFree) work();
    if (isFree && removesLock) unlinkSync(lockFile(file));
    return isFree;
  } finally {
    database.close();
  }
}

function lockFile(file: string): string {
  return `${file}.lock`;
}

function openLock(file: string): { database: DatabaseSync; inode: number } {
  const database = new DatabaseSync(lockFile(file), { timeout: 0 });
  return { database, inode: inodeOf(file) };
}

function inodeOf(file: string): number {
  return statSync(lockFile(file), { throwIfNoEntry: false })?.ino ?? 0;
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
