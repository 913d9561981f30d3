import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';

const POLL_MILLISECONDS = 100;

/** How long to wait for another holder, and what to say meanwhile. */
export interface LockOptions {
  patienceSeconds: number;
  /** Called once when somebody else holds the lock; `holder` is its pid as far as it is known. */
  onWait?: (holder: string) => void;
}

/**
 * Runs `work` while no other process runs work under the same lock.
 *
 * The lock is the operating system's own, taken through SQLite's exclusive transaction: it ends with its holder, however that dies, so
 * there is no stale lock to heal and no race in healing one. The holder's pid lies beside it in `<lockFile>.pid`, for messages only.
 * @throws AppError `temporal-unreachable` when the other holder outlasts the patience.
 */
export async function withExclusiveLock<T>(lockFile: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lockFile), { recursive: true });
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    await acquire(database, lockFile, options);
    await writeFile(`${lockFile}.pid`, `${process.pid}\n`);
    return await work();
  } finally {
    database.close();
  }
}

async function acquire(database: DatabaseSync, lockFile: string, options: LockOptions): Promise<void> {
  const deadline = performance.now() + options.patienceSeconds * 1000;
  for (let waited = false; !tryAcquire(database); waited = true) {
    const holder = await holderOf(lockFile);
    if (!waited) options.onWait?.(holder);
    if (performance.now() > deadline) {
      throw new AppError('temporal-unreachable', `Process ${holder} has held ${lockFile} for longer than ${options.patienceSeconds} s.`, {
        hint: `Look at what process ${holder} does; end it if it hangs.`,
      });
    }
    await sleep(POLL_MILLISECONDS);
  }
}

function tryAcquire(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** SQLITE_BUSY = 5; the low byte of an extended code is its primary code (sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' && (code & 0xff) === 5;
}

async function holderOf(lockFile: string): Promise<string> {
  const text = await readFile(`${lockFile}.pid`, 'utf8').catch(() => '');
  return text.trim() || 'unknown';
}
