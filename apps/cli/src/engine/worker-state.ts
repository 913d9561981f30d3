import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAside } from '@reenact/store';

const WorkerState = z.object({
  schemaVersion: z.literal(1),
  pid: z.int().min(1),
  /** Opaque; with the pid it tells one process from all others. */
  startTime: z.string(),
  stamp: z.string(),
  startedAt: z.string(),
});

/** What is recorded about the worker process that this state directory has. */
export type WorkerState = z.infer<typeof WorkerState>;

/** Reads the record; null when it is absent or not readable as one. */
export async function readWorkerState(file: string): Promise<WorkerState | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return WorkerState.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Writes the record aside and renames it. Callers hold the worker lock. */
export async function writeWorkerState(file: string, state: WorkerState): Promise<void> {
  await writeFileAside(file, `${JSON.stringify(state, null, 2)}\n`);
}
