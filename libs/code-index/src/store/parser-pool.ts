import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { nextTurn } from '../next-turn.js';
import { loadPythonSyntax } from '../python-syntax.js';
import type { ParseJob, ParseOutcome } from './parse-source.js';
import { parseSource } from './parse-source.js';
import { startParseWorker } from './start-parse-worker.js';

/** Less is parsed in the calling thread: starting a worker and loading its grammar takes the time of about a megabyte of code. */
const FEWEST_FILES_FOR_WORKERS = 40;
const FEWEST_BYTES_FOR_WORKERS = 1_000_000;
/** Files that may wait for each thread, so that none idles while the next file is read, and memory stays bounded. */
const WAITING_PER_THREAD = 2;
/** A file whose thread died is given to one more; a second death is laid to the file. */
const MOST_TRIES = 2;

/** Parses files, several at once. */
export interface ParserPool {
  /** Files that may be under way before the caller should wait for one of them. */
  capacity: number;
  /** Never rejects for a file's sake: one that kills its thread is `unparsable`. */
  parse(job: ParseJob): Promise<ParseOutcome>;
  close(): Promise<void>;
}

/**
 * A pool for so much work. @param threads worker threads, 0 for the calling thread; by the work and the number of processors when not given.
 */
export function openParserPool(work: { files: number; bytes: number }, threads?: number): ParserPool {
  const isSmall = work.files < FEWEST_FILES_FOR_WORKERS || work.bytes < FEWEST_BYTES_FOR_WORKERS;
  const count = threads ?? (isSmall ? 0 : availableParallelism());
  return count === 0 ? callingThread() : workerThreads(count);
}

function callingThread(): ParserPool {
  return {
    capacity: 1,
    async parse(job) {
      const outcome = parseSource(await loadPythonSyntax(), job);
      await nextTurn();
      return outcome;
    },
    close: () => Promise.resolve(),
  };
}

interface Task {
  job: ParseJob;
  tries: number;
  resolve(outcome: ParseOutcome): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  task: Task | null;
  /** The grammar is loaded; a thread that dies before is no file's fault. */
  isReady: boolean;
}

interface Threads {
  limit: number;
  running: Set<Thread>;
  waiting: Task[];
  /** Why no file can be parsed any more. */
  failure: Error | null;
}

/** What a thread says: first that it is ready, then an outcome for each job. */
export type ThreadAnswer = 'ready' | ParseOutcome;

function workerThreads(limit: number): ParserPool {
  const threads: Threads = { limit, running: new Set(), waiting: [], failure: null };
  return {
    capacity: limit * (1 + WAITING_PER_THREAD),
    parse: (job) =>
      new Promise((resolve, reject) => {
        threads.waiting.push({ job, tries: 0, resolve, reject });
        dispatch(threads);
      }),
    async close() {
      threads.failure ??= new Error('the parser pool is closed');
      await Promise.all([...threads.running].map(({ worker }) => worker.terminate()));
    },
  };
}

function dispatch(threads: Threads): void {
  if (threads.failure !== null) {
    for (const task of threads.waiting.splice(0)) task.reject(threads.failure);
    return;
  }
  while (threads.waiting.length > 0) {
    const idle = [...threads.running].find((thread) => thread.task === null);
    const thread = idle ?? (threads.running.size < threads.limit ? start(threads) : undefined);
    const task = thread === undefined ? undefined : threads.waiting.shift();
    if (thread === undefined || task === undefined) return;
    thread.task = task;
    task.tries++;
    // The bytes are copied, not moved: a thread that dies takes its copy along.
    thread.worker.postMessage(task.job);
  }
}

function start(threads: Threads): Thread {
  const thread: Thread = { worker: startParseWorker(), task: null, isReady: false };
  threads.running.add(thread);
  thread.worker.on('message', (answer: ThreadAnswer) => {
    if (answer === 'ready') {
      thread.isReady = true;
      return;
    }
    const { task } = thread;
    thread.task = null;
    task?.resolve(answer);
    dispatch(threads);
  });
  thread.worker.once('error', (error) => bury(threads, thread, error));
  thread.worker.once('exit', (code) => bury(threads, thread, new Error(`a parser thread ended with ${code}`)));
  return thread;
}

/** Takes a dead thread out; its file is tried once more, and laid aside when it kills a second thread. */
function bury(threads: Threads, thread: Thread, error: unknown): void {
  if (!threads.running.delete(thread)) return;
  if (!thread.isReady) threads.failure ??= error instanceof Error ? error : new Error(String(error));
  const { task } = thread;
  if (task !== null && threads.failure !== null) task.reject(threads.failure);
  else if (task !== null && task.tries < MOST_TRIES) threads.waiting.unshift(task);
  else task?.resolve({ status: 'skipped', reason: 'unparsable' });
  dispatch(threads);
}
