import { open, readFile, rename, rm } from 'node:fs/promises';
import type { ProcessIdentity } from './process-identity.js';

/** What is recorded about the embedded server, so that later commands find it and its ports stay the same. */
export interface ServerState {
  schemaVersion: 1;
  /** null after a stop: ports and version are kept for the next start. */
  process: ProcessIdentity | null;
  port: number;
  uiPort: number;
  /** What the binary says of itself, such as `1.9.1 (Server 1.32.0, UI 2.54.1)`. */
  binaryVersion: string;
  binaryPath: string;
}

/** Reads the state file; null when it is absent or not readable as one (a torn or foreign file counts as absent). */
export async function readServerState(stateFile: string): Promise<ServerState | null> {
  const text = await readFile(stateFile, 'utf8').catch(() => null);
  return text === null ? null : parseServerState(text);
}

/** The pure part of {@link readServerState}. */
export function parseServerState(text: string): ServerState | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || value['schemaVersion'] !== 1) return null;
  const { process, port, uiPort, binaryVersion, binaryPath } = value;
  if (!isPort(port) || !isPort(uiPort) || typeof binaryVersion !== 'string' || typeof binaryPath !== 'string') return null;
  if (process === null) return { schemaVersion: 1, process: null, port, uiPort, binaryVersion, binaryPath };
  if (!isRecord(process) || typeof process['pid'] !== 'number' || typeof process['startTime'] !== 'string') return null;
  const identity = { pid: process['pid'], startTime: process['startTime'] };
  return { schemaVersion: 1, process: identity, port, uiPort, binaryVersion, binaryPath };
}

/** Writes the state file aside and renames it, so that no reader sees half of it. Callers hold the server lock. */
export async function writeServerState(stateFile: string, state: ServerState): Promise<void> {
  const aside = `${stateFile}.new`;
  await rm(aside, { force: true });
  const file = await open(aside, 'wx');
  try {
    await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, stateFile);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536;
}
