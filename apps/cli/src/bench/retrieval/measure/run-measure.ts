import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { IndexCounts } from '@reenact/code-index';

/** What indexing a tree took, from its files to the first answer. */
export interface TreeMeasure {
  seconds: number;
  readSeconds: number;
  cpuSeconds: number;
  maxRssBytes: number;
  files: number;
  chunks: number;
  hits: number;
  counts: IndexCounts;
}

/** Indexes a tree in a process of its own. @param storeDirectory the same one again continues what is there. */
export async function runTreeMeasure(treeDirectory: string, storeDirectory: string, query: readonly string[]): Promise<TreeMeasure> {
  const program = path.join(import.meta.dirname, `measure-tree${path.extname(import.meta.filename)}`);
  const { stdout } = await promisify(execFile)(process.execPath, [program, treeDirectory, storeDirectory, ...query]);
  return JSON.parse(stdout) as TreeMeasure;
}
