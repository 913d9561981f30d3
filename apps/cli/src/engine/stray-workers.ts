import { readFile, readdir } from 'node:fs/promises';
import { processStartTime } from '@reenact/temporal/server';
import type { ProcessIdentity } from '@reenact/temporal/server';

/**
 * Live workers of a state directory, recorded or not: one whose starter was killed before it wrote the record would go on unseen, beside
 * the next one. Found by the words of their command lines in `/proc`; where there is none, none is found.
 *
 * @param workerMain absolute path of the worker's program.
 * @param stateDirectory absolute path, as given to the worker.
 */
export async function findStrayWorkers(workerMain: string, stateDirectory: string): Promise<ProcessIdentity[]> {
  const names = await readdir('/proc').catch(() => [] as string[]);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => workerOf(Number(name), workerMain, stateDirectory)),
  );
  return found.filter((one) => one !== null);
}

async function workerOf(pid: number, workerMain: string, stateDirectory: string): Promise<ProcessIdentity | null> {
  // a process that ended meanwhile, or that another user hides, has no readable command line
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (!isWorkerOf(words, workerMain, stateDirectory)) return null;
  const startTime = await processStartTime(pid);
  return startTime === null ? null : { pid, startTime };
}

/** True for the command line of a worker of exactly this program and state directory. */
export function isWorkerOf(words: readonly string[], workerMain: string, stateDirectory: string): boolean {
  const main = words.indexOf(workerMain);
  return main > 0 && words[main + 1] === stateDirectory;
}
