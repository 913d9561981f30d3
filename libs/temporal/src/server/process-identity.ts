import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process that stays the same one: a pid alone is reused sooner or later. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; equal strings mean the same start of the same process. */
  startTime: string;
}

/**
 * Start time of a live process: boot id and start ticks from `/proc` (proc(5), `stat` fields 3 and 22), else what `ps` prints.
 * @returns null when there is no such process, or only its zombie.
 */
export async function processStartTime(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null);
  if (boot === null) return startTimeByPs(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null ? null : parseProcStat(stat, boot.trim());
}

/** The pure part for `/proc`: the command in field 2 may hold blanks and parentheses, so fields count from the last `)`. */
export function parseProcStat(stat: string, bootId: string): string | null {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  const state = fields[0];
  const ticks = fields[19];
  if (state === undefined || ticks === undefined || state === 'Z' || state === 'X') return null;
  return `${bootId}:${ticks}`;
}

async function startTimeByPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/** True while the very process that was recorded is alive. */
export async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  return (await processStartTime(identity.pid)) === identity.startTime;
}
