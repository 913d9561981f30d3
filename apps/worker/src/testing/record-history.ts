import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

type History = Parameters<typeof historyToJSON>[0];

/** Where a folder is given (REENACT_RECORD_HISTORIES of the test), histories become the fixtures that the replay test holds every later change to. */
export async function recordHistory(folder: string | undefined, name: string, history: History): Promise<void> {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.json`), historyToJSON(history));
}
