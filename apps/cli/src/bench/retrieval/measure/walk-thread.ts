import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadPythonSyntax } from '@reenact/code-index';
import { countDefinitions } from './count-definitions.js';
import type { WalkTask, WalkTotals } from './run-walk-threads.js';

/** Run as a thread: takes the next file of the list until none is left, parses it and walks its definitions. */
async function walkFiles({ treeDirectory, files, next }: WalkTask): Promise<WalkTotals> {
  const syntax = await loadPythonSyntax();
  let [bytes, definitions] = [0, 0];
  for (let place = Atomics.add(next, 0, 1); place < files.length; place = Atomics.add(next, 0, 1)) {
    const content = readFileSync(path.join(treeDirectory, files[place]!));
    bytes += content.length;
    definitions += countDefinitions(syntax, content.toString('utf8'));
  }
  return { bytes, definitions };
}

parentPort?.postMessage(await walkFiles(workerData as WalkTask));
