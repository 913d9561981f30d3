import type { Pool } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';
import { listObjects } from './list-objects.js';
import { poolCapacity } from './pool-capacity.js';
import type { CapacityAnswer, ListedNode, ListedPod } from './pool-capacity.js';
import type { PodDemand } from './pool-catalogue.js';
import { resourcePath } from './resource-path.js';

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
  const nodes = await listObjects(connection, '/api/v1/nodes', { ...options, query: labelSelector === '' ? {} : { labelSelector } });
  const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed';
  const pods = await listObjects(connection, resourcePath('pods', options.namespace), { ...options, query: { fieldSelector } });
  return poolCapacity(pool, demand, { nodes: nodes as ListedNode[], pods: pods as ListedPod[] });
}
