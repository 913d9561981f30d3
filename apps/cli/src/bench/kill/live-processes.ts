import { readFile, readdir } from 'node:fs/promises';
import { processStartTime } from '@reenact/temporal/server';

/** A process as its command line shows it. */
export interface LiveProcess {
  pid: number;
  parent: number;
  /** Opaque; with the pid it tells one process from all others. */
  startTime: string;
  words: string[];
}

/** Live processes whose command line holds one of the texts; zombies are left out. Linux only: elsewhere none is found. */
export async function findProcesses(texts: readonly string[]): Promise<LiveProcess[]> {
  const names = await readdir('/proc').catch(() => [] as string[]);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => lookAt(pid, texts)));
  return found.filter((one) => one !== null);
}

async function lookAt(pid: number, texts: readonly string[]): Promise<LiveProcess | null> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!texts.some((text) => line.includes(text))) return null;
  const startTime = await processStartTime(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (startTime === null || stat === null) return null;
  // fields count from the last `)` (proc(5)): state, parent, …
  const parent = Number(
    stat
      .slice(stat.lastIndexOf(')') + 1)
      .trim()
      .split(' ')[1],
  );
  return { pid, parent, startTime, words: line.split('\0') };
}
