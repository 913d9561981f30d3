import { AppError } from '@reenact/domain';
import { parseJson } from './kube-request.js';

/** An object as a list or watch sends it; everything but its identity is read by whoever watches. Times are texts in both. */
export interface WatchedObject {
  metadata: { name: string; uid: string; resourceVersion: string; labels?: Record<string, string> };
  [field: string]: unknown;
}

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One line of a watch. A bookmark's object has a version and nothing else; that of an error is a Status. */
export type WatchEvent =
  | { type: ChangeType; object: WatchedObject }
  | { type: 'BOOKMARK'; object: { metadata: { resourceVersion: string } } }
  | { type: 'ERROR'; object: Record<string, unknown> };

/**
 * Reads a list, or one page of it.
 *
 * @throws AppError `cluster-unreachable` for anything else: what answers is then no API server.
 */
export function readList(body: unknown, path: string): { items: WatchedObject[]; version: string; continueWith: string } {
  const list = body as { items?: unknown; metadata?: { resourceVersion?: unknown; continue?: unknown } } | null;
  const version = list?.metadata?.resourceVersion;
  if (!Array.isArray(list?.items) || typeof version !== 'string' || !list.items.every(isObject))
    throw new AppError('cluster-unreachable', `what answers for ${path} sends no list of objects`);
  const next = list.metadata?.continue;
  return { items: list.items, version, continueWith: typeof next === 'string' ? next : '' };
}

/**
 * Reads one line of a watch.
 *
 * @throws AppError `cluster-unreachable` for anything that is no event.
 */
export function readEvent(line: Buffer, path: string): WatchEvent {
  const text = line.toString('utf8');
  const { type, object } = (parseJson(text) ?? {}) as { type?: unknown; object?: unknown };
  if (type === 'ERROR') return { type, object: typeof object === 'object' && object !== null ? { ...object } : {} };
  if (type === 'BOOKMARK' && hasVersion(object)) return { type, object };
  if ((type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && isObject(object)) return { type, object };
  throw new AppError('cluster-unreachable', `what a watch of ${path} sends is no event: ${text.slice(0, 200)}`);
}

function hasVersion(value: unknown): value is { metadata: { resourceVersion: string } } {
  return typeof (value as { metadata?: { resourceVersion?: unknown } } | null | undefined)?.metadata?.resourceVersion === 'string';
}

function isObject(value: unknown): value is WatchedObject {
  const metadata = (value as { metadata?: Record<string, unknown> } | null | undefined)?.metadata;
  return hasVersion(value) && typeof metadata?.['name'] === 'string' && typeof metadata['uid'] === 'string';
}
