import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import { backoffMilliseconds } from './backoff.js';
import type { Backoff } from './backoff.js';
import type { KubeConnection } from './kube-connection.js';
import { sendRequest } from './kube-request.js';
import type { KubeAnswer } from './kube-request.js';
import { LABELS, OURS } from './labels.js';
import type { Manifest } from './manifest.js';
import { resourcePath } from './resource-path.js';
import type { Collection } from './resource-path.js';

/** What became of an object that was to be there. */
export type Made =
  | { made: 'created' | 'adopted'; uid: string }
  /** It is being deleted, or was deleted after it had been seen: under this name there is nothing to be had any more. */
  | { made: 'lost' }
  /** There is no room for it now. */
  | { made: 'no-room'; words: string };

export interface MakeOptions {
  signal: AbortSignal;
  timeoutMilliseconds: number;
  backoff: Backoff;
  /** Tries after one that failed for a passing reason. */
  retries: number;
}

const COLLECTION_OF: Record<Manifest['kind'], Collection> = {
  ConfigMap: 'configmaps',
  Service: 'services',
  NetworkPolicy: 'networkpolicies',
  Job: 'jobs',
};

/**
 * Makes an object, or takes the one that is there by its name where it is the same. Names are deterministic, so that a request whose
 * answer was lost is simply sent again.
 *
 * @throws AppError `cluster-unreachable` where no try had an answer that counts; `internal` where another specification has the name, or
 * the server refuses the object; the signal's reason where it was aborted.
 */
export async function createOrAdopt(connection: KubeConnection, manifest: Manifest, options: MakeOptions): Promise<Made> {
  for (let failures = 1; ; failures++) {
    options.signal.throwIfAborted();
    const made = await tryOnce(connection, manifest, options).catch((error: unknown) => {
      if (options.signal.aborted || failures > options.retries || !(error instanceof AppError) || !error.retryable) throw error;
      return null;
    });
    if (made !== null && !('waitSeconds' in made)) return made;
    if (failures > options.retries)
      throw new AppError('cluster-unreachable', `${manifest.kind} ${manifest.metadata.name} could not be made: ${made?.words ?? ''}`);
    const wait = Math.max(backoffMilliseconds(options.backoff, failures), (made?.waitSeconds ?? 0) * 1000);
    await sleep(wait, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
  }
}

/** The server cannot answer now. */
interface AskAgain {
  waitSeconds: number;
  words: string;
}

async function tryOnce(connection: KubeConnection, manifest: Manifest, options: MakeOptions): Promise<Made | AskAgain> {
  const { signal, timeoutMilliseconds } = options;
  const { namespace, name } = manifest.metadata;
  const path = resourcePath(COLLECTION_OF[manifest.kind], namespace);
  const query = { fieldManager: OURS.managedBy, fieldValidation: 'Strict' };
  const posted = await sendRequest(connection, { method: 'POST', path, query, body: manifest, signal, timeoutMilliseconds });
  if (posted.failure === null) return { made: 'created', uid: uidOf(posted.body) };
  if (posted.status !== 409) return refusalOf(posted, manifest);
  const found = await sendRequest(connection, {
    ...{ method: 'GET', path: resourcePath(COLLECTION_OF[manifest.kind], namespace, name), signal, timeoutMilliseconds },
  });
  // Gone between the two answers: it was ours, and somebody deletes it.
  if (found.status === 404) return { made: 'lost' };
  return found.failure === null ? adopt(found.body, manifest) : refusalOf(found, manifest);
}

function refusalOf(answer: KubeAnswer, manifest: Manifest): Made | AskAgain {
  const words = `${answer.failure?.reason ?? ''}: ${answer.failure?.message ?? ''}`;
  if (answer.status === 403 && words.includes('exceeded quota')) return { made: 'no-room', words };
  if (answer.status === 429 || answer.status >= 500) return { waitSeconds: answer.retryAfterSeconds ?? 0, words };
  throw new AppError('internal', `the API server refuses ${manifest.kind} ${manifest.metadata.name}: ${words.slice(0, 1_000)}`, {
    hint: 'check the rights of the executor’s service account and the policies of its namespace',
  });
}

interface Found {
  metadata?: { uid?: unknown; deletionTimestamp?: unknown; labels?: Record<string, unknown>; annotations?: Record<string, unknown> };
}

function adopt(body: unknown, manifest: Manifest): Made {
  const { metadata = {} } = (body ?? {}) as Found;
  const isOurs = metadata.labels?.[LABELS.execution] === manifest.metadata.labels[LABELS.execution];
  const isSame = metadata.annotations?.[LABELS.fingerprint] === manifest.metadata.annotations[LABELS.fingerprint];
  if (!isOurs || !isSame)
    throw new AppError('internal', `${manifest.kind} ${manifest.metadata.name} is there already and was made from something else`);
  return metadata.deletionTimestamp === undefined ? { made: 'adopted', uid: uidOf(body) } : { made: 'lost' };
}

function uidOf(body: unknown): string {
  const uid = ((body ?? {}) as Found).metadata?.uid;
  if (typeof uid !== 'string') throw new AppError('cluster-unreachable', 'what answers for the API server made an object without a UID');
  return uid;
}
