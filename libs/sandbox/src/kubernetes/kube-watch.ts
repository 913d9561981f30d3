import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import { backoffMilliseconds } from './backoff.js';
import type { Backoff } from './backoff.js';
import type { KubeConnection } from './kube-connection.js';
import { chunksWithin, failureOf, openAnswer, readFailure, retryAfter, sendRequest } from './kube-request.js';
import { linesOf } from './lines.js';
import { readEvent, readList } from './watch-messages.js';
import type { ChangeType, WatchedObject } from './watch-messages.js';

/** What a watch tells. Errors thrown here end nothing: they are told as problems, and everything is listed anew. */
export interface WatchListener {
  /** All objects there are; what was known before and is not among them is gone. */
  onList(objects: WatchedObject[]): void;
  onChange(type: ChangeType, object: WatchedObject): void;
  /** Something failed, and it is tried again. */
  onProblem(error: unknown): void;
}

export interface WatchOptions {
  /** Path of the collection, such as `/api/v1/namespaces/reenact-runs/pods`. */
  path: string;
  labelSelector: string;
  timings: WatchTimings;
  signal: AbortSignal;
}

export interface WatchTimings {
  /** How long the server is asked to keep a watch, by chance between the two. */
  serverSeconds: [number, number];
  /** A watch without a byte for this long is dead; bookmarks come about once a minute. */
  silenceMilliseconds: number;
  backoff: Backoff;
}

export const WATCH_TIMINGS: WatchTimings = {
  serverSeconds: [240, 360],
  silenceMilliseconds: 120_000,
  backoff: { first: 1_000, most: 30_000 },
};

const PAGE_ITEMS = '500';
const MAX_EVENT_BYTES = 4 * 1024 ** 2;
const GONE = 410;
/** A watch that ended sooner counts as a failure, so that a server that ends each at once is not asked without a pause. */
const SHORTEST_WATCH_MILLISECONDS = 1_000;

/**
 * Lists a collection and watches it until the signal is aborted, whatever happens to connections and servers on the way. It resolves then
 * and never rejects, unless `onProblem` throws.
 */
export async function watchCollection(connection: KubeConnection, options: WatchOptions, listener: WatchListener): Promise<void> {
  let version: string | null = null;
  let failures = 0;
  while (!options.signal.aborted) {
    const began = performance.now();
    let askedMilliseconds = 0;
    try {
      version ??= await listAll(connection, options, listener);
      version = await watchOnce(connection, options, { listener, version });
    } catch (error) {
      if (options.signal.aborted) return;
      const broken = error instanceof BrokenOff ? error : new BrokenOff(error, { version: null });
      version = broken.version;
      askedMilliseconds = broken.waitMilliseconds;
      listener.onProblem(broken.cause);
      failures = Math.max(1, failures);
    }
    failures = performance.now() - began < SHORTEST_WATCH_MILLISECONDS ? failures + 1 : Math.min(failures, 1);
    const wait = failures === 0 ? 0 : backoffMilliseconds(options.timings.backoff, failures);
    await sleep(Math.max(wait, askedMilliseconds), undefined, { signal: options.signal }).catch(() => undefined);
  }
}

/** List or watch broke off; it goes on from `version`, or with a new list where that is null. */
class BrokenOff extends Error {
  readonly version: string | null;
  readonly waitMilliseconds: number;

  constructor(cause: unknown, { version, waitSeconds = 0 }: { version: string | null; waitSeconds?: number }) {
    super('the watch broke off', { cause });
    this.version = version;
    this.waitMilliseconds = waitSeconds * 1000;
  }
}

/** Lists page by page; a list whose continuation has expired begins anew with the next try. */
async function listAll(connection: KubeConnection, options: WatchOptions, listener: WatchListener): Promise<string> {
  const { path, labelSelector, signal, timings } = options;
  const objects: WatchedObject[] = [];
  let page = '';
  for (;;) {
    const query = { labelSelector, limit: PAGE_ITEMS, ...(page === '' ? {} : { continue: page }) };
    const answer = await sendRequest(connection, { method: 'GET', path, query, signal, timeoutMilliseconds: timings.silenceMilliseconds });
    if (answer.failure !== null)
      throw new BrokenOff(refused(path, answer.failure), { version: null, waitSeconds: answer.retryAfterSeconds ?? 0 });
    const list = readList(answer.body, path);
    objects.push(...list.items);
    page = list.continueWith;
    if (page !== '') continue;
    listener.onList(objects);
    return list.version;
  }
}

/** Watches until the server ends it. Returns the version to go on from; null = it has expired. */
async function watchOnce(
  connection: KubeConnection,
  options: WatchOptions,
  { listener, version }: { listener: WatchListener; version: string },
): Promise<string | null> {
  const { path, labelSelector, signal, timings } = options;
  const query = {
    watch: 'true',
    labelSelector,
    resourceVersion: version,
    allowWatchBookmarks: 'true',
    timeoutSeconds: watchSeconds(timings),
  };
  const progress = { seen: version };
  try {
    const message = await openAnswer(connection, { method: 'GET', path, query, signal, timeoutMilliseconds: timings.silenceMilliseconds });
    const chunks = chunksWithin(message, timings.silenceMilliseconds);
    const status = message.statusCode ?? 0;
    if (status === 200) return await followEvents(chunks, { listener, progress, path });
    const failure = await readFailure(chunks, status);
    if (status === GONE) return null;
    throw new BrokenOff(refused(path, failure), { version, waitSeconds: retryAfter(message) ?? 0 });
  } catch (error) {
    throw error instanceof BrokenOff ? error : new BrokenOff(error, { version: progress.seen });
  }
}

function watchSeconds({ serverSeconds: [least, most] }: WatchTimings): string {
  return String(Math.round(least + Math.random() * (most - least)));
}

/** Tells the events of a watch. `progress.seen` is the version up to which everything was told. */
async function followEvents(
  chunks: AsyncIterable<Buffer>,
  { listener, progress, path }: { listener: WatchListener; progress: { seen: string }; path: string },
): Promise<string | null> {
  try {
    for await (const line of linesOf(chunks, MAX_EVENT_BYTES)) {
      const event = readEvent(line, path);
      if (event.type === 'ERROR') return afterError(event.object, progress.seen, path);
      if (event.type !== 'BOOKMARK') takeOver(listener, event.type, event.object);
      progress.seen = event.object.metadata.resourceVersion;
    }
  } catch (error) {
    // A stream that cannot be understood would be the same when it is asked for again.
    if (error instanceof RangeError || error instanceof AppError) throw new BrokenOff(error, { version: null });
    throw error;
  }
  return progress.seen;
}

function takeOver(listener: WatchListener, type: ChangeType, object: WatchedObject): void {
  try {
    listener.onChange(type, object);
  } catch (error) {
    throw new BrokenOff(error, { version: null });
  }
}

/** An event of type ERROR carries a Status: 410 means that the version has expired, in the middle of a watch as well. */
function afterError(status: Record<string, unknown>, seen: string, path: string): null {
  if (status['code'] === GONE || status['reason'] === 'Expired' || status['reason'] === 'Gone') return null;
  const details = status['details'] as { retryAfterSeconds?: unknown } | undefined;
  const waitSeconds = typeof details?.retryAfterSeconds === 'number' ? details.retryAfterSeconds : 0;
  throw new BrokenOff(refused(path, failureOf(status, '', 0)), { version: seen, waitSeconds });
}

function refused(path: string, { reason, message }: { reason: string; message: string }): AppError {
  return new AppError('cluster-unreachable', `the API server does not let ${path} be watched: ${reason}: ${message}`);
}
