import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { processStartTime } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';

const run = promisify(execFile);

/**
 * Servers that run on our database without being recorded: one whose starter was killed right after the start, or whose state file was
 * removed. Two servers on one database would fight over it. Found by the words of their command lines.
 */
export async function findStrayServers(databaseFile: string): Promise<ProcessIdentity[]> {
  const strays: ProcessIdentity[] = [];
  for (const { pid, words } of await commandLines()) {
    if (!servesDatabase(words, databaseFile)) continue;
    const startTime = await processStartTime(pid);
    if (startTime !== null) strays.push({ pid, startTime });
  }
  return strays;
}

/** True for the command line of `temporal server start-dev` on exactly this file. */
export function servesDatabase(words: readonly string[], databaseFile: string): boolean {
  const flag = words.indexOf('--db-filename');
  return words[1] === 'server' && words[2] === 'start-dev' && flag > 0 && words[flag + 1] === databaseFile;
}

async function commandLines(): Promise<{ pid: number; words: string[] }[]> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return commandLinesByPs();
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  // a process that ended meanwhile, or that another user hides, has no readable command line
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.map((pid, index) => ({ pid, words: texts[index]?.split('\0') ?? [] }));
}

/** Without /proc words can only be split at blanks: a state directory with blanks in its path finds no strays there. */
async function commandLinesByPs(): Promise<{ pid: number; words: string[] }[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 10_000_000 }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').map((line) => {
    const [pid, ...words] = line.trim().split(' ');
    return { pid: Number(pid), words };
  });
}
