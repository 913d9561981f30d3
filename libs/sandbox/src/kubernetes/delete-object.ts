import { AppError } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';
import { sendRequest } from './kube-request.js';
import { resourcePath } from './resource-path.js';
import type { Collection } from './resource-path.js';

/** An object to be deleted, with everything that it owns. */
export interface Doomed {
  collection: Collection;
  namespace: string;
  name: string;
  /** Deletes nothing but this very object; absent = whatever has the name. */
  uid?: string;
}

/**
 * Deletes an object and, in the background, all that it owns. One that is gone already, or whose name another has by now, is no failure.
 *
 * @throws AppError `cluster-unreachable`, also where the server refuses.
 */
export async function deleteObject(connection: KubeConnection, doomed: Doomed, timeoutMilliseconds: number): Promise<void> {
  const { collection, namespace, name, uid } = doomed;
  const answer = await sendRequest(connection, {
    method: 'DELETE',
    path: resourcePath(collection, namespace, name),
    body: {
      ...{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    },
    timeoutMilliseconds,
  });
  const isOver = answer.status === 404 || (answer.status === 409 && uid !== undefined);
  if (answer.failure !== null && !isOver)
    throw new AppError('cluster-unreachable', `${collection} ${name} could not be deleted: ${answer.failure.message}`);
}
