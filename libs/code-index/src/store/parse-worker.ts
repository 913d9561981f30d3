import { parentPort } from 'node:worker_threads';
import { loadPythonSyntax } from '../python-syntax.js';
import type { ParseJob } from './parse-source.js';
import { parseSource } from './parse-source.js';
import type { ThreadAnswer } from './parser-pool.js';

// One file at a time: the pool hands out the next one when the answer to the last is there.
const syntax = await loadPythonSyntax();
const answer = (value: ThreadAnswer, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(value, transfer);
parentPort?.on('message', (job: ParseJob) => {
  const outcome = parseSource(syntax, job);
  const transfer = outcome.status === 'parsed' ? [outcome.encoded.text, outcome.encoded.structure, outcome.encoded.forward] : [];
  answer(
    outcome,
    transfer.map((bytes) => bytes.buffer),
  );
});
answer('ready');
