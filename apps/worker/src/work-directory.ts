import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes the folder in which this process works, and removes those that killed workers left. A live worker's folder stays: its trials
 * run in there.
 * @param workRoot absolute path; its folders are named by the pids of workers.
 */
export async function ownWorkDirectory(workRoot: string, pid: number = process.pid): Promise<string> {
  await mkdir(workRoot, { recursive: true });
  for (const name of await readdir(workRoot)) {
    if (name === String(pid) || !isAlive(name)) await rm(path.join(workRoot, name), { recursive: true, force: true });
  }
  const directory = path.join(workRoot, String(pid));
  await mkdir(directory, { recursive: true });
  return directory;
}

function isAlive(name: string): boolean {
  if (!/^\d{1,10}$/.test(name)) return false;
  try {
    process.kill(Number(name), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
