import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** What a thread that walks is given. */
export interface WalkTask {
  treeDirectory: string;
  /** Relative to the tree. */
  files: string[];
  /** One number that all threads share: the place of the next file. */
  next: Int32Array<SharedArrayBuffer>;
}

/** What one thread, or all of them together, did. */
export interface WalkTotals {
  bytes: number;
  definitions: number;
}

/** Parses files and walks their definitions in so many threads; their start and the loading of the grammar are part of it. */
export async function runWalkThreads(treeDirectory: string, files: string[], threads: number): Promise<WalkTotals> {
  const program = path.join(import.meta.dirname, `walk-thread${path.extname(import.meta.filename)}`);
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WalkTask = { treeDirectory, files, next };
  const totals = await Promise.all(
    Array.from({ length: threads }, async () => {
      const [done] = (await once(new Worker(program, { workerData }), 'message')) as [WalkTotals];
      return done;
    }),
  );
  return totals.reduce((sum, { bytes, definitions }) => ({ bytes: sum.bytes + bytes, definitions: sum.definitions + definitions }));
}
