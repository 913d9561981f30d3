import { AppError } from '@reenact/domain';
import type { Pool } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';
import { sendRequest } from './kube-request.js';
import { poolCapacity } from './pool-capacity.js';
import type { CapacityAnswer, ListedNode, ListedPod } from './pool-capacity.js';
import type { PodDemand } from './pool-catalogue.js';
import { resourcePath } from './resource-path.js';

/** One page of a list. */
const PAGE = '500';

export interface RoomOptions {
  namespace: string;
  timeoutMilliseconds: number;
  signal: AbortSignal;
}

/**
 * `poolCapacity` by the nodes and pods that there are now: two lists, for executions of several pods, whose parts must not wait for each
 * other on nodes that they hold.
 *
 * @throws AppError `cluster-unreachable` where they cannot be read.
 */
export async function roomInPool(connection: KubeConnection, pool: Pool, demand: PodDemand, options: RoomOptions): Promise<CapacityAnswer> {
  const labelSelector = Object.entries(pool.nodeSelector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const nodes = await listAll(connection, '/api/v1/nodes', { ...options, query: labelSelector === '' ? {} : { labelSelector } });
  const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed';
  const pods = await listAll(connection, resourcePath('pods', options.namespace), { ...options, query: { fieldSelector } });
  return poolCapacity(pool, demand, { nodes: nodes as ListedNode[], pods: pods as ListedPod[] });
}

async function listAll(
  connection: KubeConnection,
  path: string,
  { timeoutMilliseconds, signal, query }: RoomOptions & { query: Record<string, string> },
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let from = ''; ;) {
    const page = { ...query, limit: PAGE, ...(from === '' ? {} : { continue: from }) };
    const { body, failure } = await sendRequest(connection, { method: 'GET', path, query: page, timeoutMilliseconds, signal });
    if (failure !== null) throw new AppError('cluster-unreachable', `${path} cannot be listed: ${failure.message}`);
    const { items, metadata } = (body ?? {}) as { items?: unknown[]; metadata?: { continue?: string } };
    found.push(...(items ?? []));
    from = metadata?.continue ?? '';
    if (from === '') return found;
  }
}
