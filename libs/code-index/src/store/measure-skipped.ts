import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { compareText } from '../chunk.js';
import { nextTurn } from '../next-turn.js';
import type { SkippedPath, SkipReason } from '../source-files.js';

/** A skipped folder with what lies in it. */
export interface SkippedFolder {
  path: string;
  reason: SkipReason;
  files: number;
  bytes: number;
  /** False where the look at it ended early. */
  isWhole: boolean;
}

/** Entries looked at over all folders: enough to tell a folder of a hundred thousand files from one of ten. */
const MOST_ENTRIES = 100_000;
const ENTRIES_PER_TURN = 2_000;

/** The skipped folders of a tree, those with most files first. Links are not followed. For showing only: it takes a walk of its own. */
export async function measureSkipped(treeDirectory: string, skipped: readonly SkippedPath[]): Promise<SkippedFolder[]> {
  const budget = { entries: MOST_ENTRIES };
  const folders: SkippedFolder[] = [];
  for (const { path: folder, reason } of skipped) {
    if (reason === 'link' || reason === 'unreadable') continue;
    const found = await measure(path.join(treeDirectory, folder), budget);
    if (found !== null) folders.push({ path: folder, reason, ...found });
  }
  return folders.sort((left, right) => right.files - left.files || compareText(left.path, right.path));
}

async function measure(directory: string, budget: { entries: number }): Promise<Omit<SkippedFolder, 'path' | 'reason'> | null> {
  const sum = { files: 0, bytes: 0, isWhole: true };
  const pending = [directory];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = entriesOf(folder);
    if (entries === null && folder === directory) return null;
    for (const entry of entries ?? []) {
      if (budget.entries-- <= 0) return { ...sum, isWhole: false };
      if (budget.entries % ENTRIES_PER_TURN === 0) await nextTurn();
      if (entry.isDirectory()) pending.push(path.join(folder, entry.name));
      else if (entry.isFile()) {
        sum.files++;
        sum.bytes += bytesOf(path.join(folder, entry.name));
      }
    }
  }
  return sum;
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return null;
  }
}

function bytesOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
