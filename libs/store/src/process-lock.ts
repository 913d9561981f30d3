import { mkdirSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** SQLITE_BUSY; the low byte of an extended code is its primary one (sqlite.org/rescode.html). */
const BUSY = 5;
const POLL_MILLISECONDS = 50;

/** A lock that is held until it is released, or its process ends. */
export interface HeldLock {
  release(): void;
  /** Takes the lock's file away as well, before it is free: whoever waits for it makes a new one. */
  remove(): void;
}

/**
 * Takes the lock of this file, which is made where it is not there; null where another process, or another caller in this one, holds it
 * for longer than `waitMilliseconds`, during which this process stands still.
 *
 * The lock is the operating system's own, taken through an exclusive transaction of SQLite: it ends with its holder, however that dies,
 * so that there is no stale lock to heal.
 * @throws the system's error where the file can't be made.
 */
export function takeLock(lockFile: string, waitMilliseconds = 0): HeldLock | null {
  mkdirSync(dirname(lockFile), { recursive: true });
  for (;;) {
    const inode = inodeOf(lockFile);
    const database = new DatabaseSync(lockFile, { timeout: waitMilliseconds });
    if (!begins(database)) return null;
    // A lock on a file that a holder took away meanwhile would lock nothing; one on a file that was just made is taken again.
    if (inode !== null && inode === inodeOf(lockFile)) return heldLock(lockFile, database);
    database.close();
  }
}

/**
 * Runs `work` while no other process (or caller in this one) runs any under the same lock. `onWait` is told once when there is a holder.
 * @throws the signal's reason when it is aborted while waiting.
 */
export async function withLock<T>(
  lockFile: string,
  { onWait, signal }: { onWait?: () => void; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  let lock = takeLock(lockFile);
  if (lock === null) onWait?.();
  while (lock === null) {
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => signal?.throwIfAborted());
    lock = takeLock(lockFile);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function heldLock(lockFile: string, database: DatabaseSync): HeldLock {
  return {
    release: () => database.close(),
    remove() {
      unlinkSync(lockFile);
      database.close();
    },
  };
}

function inodeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? null;
}

/** Begins the transaction, or closes the database. */
function begins(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return false;
    throw error;
  }
}
