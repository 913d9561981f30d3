import { randomBytes } from 'node:crypto';
import { mkdir, readFile, link, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { Configuration } from '@reenact/domain';

/** As long as 128 bits written in hexadecimal digits. */
const FEWEST_CHARACTERS = 32;

/**
 * Random text of this installation. It makes the sentinels of tripwires and the nonces of executions unguessable, and workers that share
 * it take over each other's executions. It is what the configured file holds, else made once in the state directory.
 *
 * @throws AppError `config-invalid` for a file that cannot be read or holds too little.
 */
export async function installationSecret({
  stateDirectory,
  secretFile,
}: Pick<Configuration, 'stateDirectory' | 'secretFile'>): Promise<string> {
  return secretFile === null ? ownSecret(stateDirectory) : sharedSecret(secretFile);
}

async function sharedSecret(file: string): Promise<string> {
  const hint = 'REENACT_SECRET_FILE names a file as `openssl rand -hex 32` makes it';
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('config-invalid', `the secret of the installation in ${file} cannot be read`, { cause, hint });
  });
  const secret = text.trim();
  if (secret.length >= FEWEST_CHARACTERS) return secret;
  throw new AppError('config-invalid', `the secret of the installation in ${file} has fewer than ${FEWEST_CHARACTERS} characters`, {
    hint,
  });
}

async function ownSecret(stateDirectory: string): Promise<string> {
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
