import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { AppError } from '@reenact/domain';
import { withLock } from '@reenact/store';

/** How long to wait for another holder, and what to say meanwhile. */
export interface LockOptions {
  patienceSeconds: number;
  /** Called once when somebody else holds the lock; `holder` is its pid as far as it is known. */
  onWait?: (holder: string) => void;
}

/**
 * Runs `work` while no other process runs work under the same lock. The holder's pid lies beside it in `<lockFile>.pid`, for messages
 * only.
 * @throws AppError `temporal-unreachable` when the other holder outlasts the patience.
 */
export async function withExclusiveLock<T>(lockFile: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { patienceSeconds, onWait } = options;
  const signal = AbortSignal.timeout(patienceSeconds * 1000);
  const wait = { onWait: () => onWait?.(holderOf(lockFile)), signal };
  let isIn = false;
  try {
    return await withLock(lockFile, wait, async () => {
      isIn = true;
      await writeFile(`${lockFile}.pid`, `${process.pid}\n`);
      return await work();
    });
  } catch (error) {
    if (isIn || !signal.aborted) throw error;
    const holder = holderOf(lockFile);
    throw new AppError('temporal-unreachable', `Process ${holder} has held ${lockFile} for longer than ${patienceSeconds} s.`, {
      hint: `Look at what process ${holder} does; end it if it hangs.`,
    });
  }
}

function holderOf(lockFile: string): string {
  try {
    return readFileSync(`${lockFile}.pid`, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
