import { randomBytes } from 'node:crypto';
import { mkdir, readFile, link, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Random text of this installation, made once. It makes the sentinels of tripwires unguessable and never leaves the machine. */
export async function installationSecret(stateDirectory: string): Promise<string> {
  const file = path.join(stateDirectory, 'secret');
  const found = await readFile(file, 'utf8').catch(() => null);
  if (found !== null) return found;
  await mkdir(stateDirectory, { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, randomBytes(32).toString('hex'), { mode: 0o600 });
  // A link fails where another process was first; then its secret holds.
  await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  return readFile(file, 'utf8');
}
