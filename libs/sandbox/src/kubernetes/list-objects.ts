import { AppError } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';
import { sendRequest } from './kube-request.js';

/** One page of a list. */
const PAGE = '500';

export interface ListOptions {
  query: Record<string, string>;
  timeoutMilliseconds: number;
  signal: AbortSignal;
  /** Names, labels and annotations alone: a page of ConfigMaps would be hundreds of megabytes. */
  metadataOnly?: boolean;
}

/**
 * All objects of a collection, page by page.
 *
 * @param path of the collection (`resourcePath`).
 * @throws AppError `cluster-unreachable` where one page cannot be read, also where the server refuses.
 */
export async function listObjects(connection: KubeConnection, path: string, options: ListOptions): Promise<unknown[]> {
  const { query, timeoutMilliseconds, signal, metadataOnly = false } = options;
  const found: unknown[] = [];
  for (let from = ''; ;) {
    const page = { ...query, limit: PAGE, ...(from === '' ? {} : { continue: from }) };
    const { body, failure } = await sendRequest(connection, {
      method: 'GET',
      path,
      query: page,
      timeoutMilliseconds,
      signal,
      metadataOnly,
    });
    if (failure !== null) throw new AppError('cluster-unreachable', `${path} cannot be listed: ${failure.message}`);
    const { items, metadata } = (body ?? {}) as { items?: unknown[]; metadata?: { continue?: string } };
    found.push(...(items ?? []));
    from = metadata?.continue ?? '';
    if (from === '') return found;
  }
}
