import { AppError } from '@reenact/domain';

/** The API group of each kind of object that executions have. */
const COLLECTIONS = {
  configmaps: '/api/v1',
  events: '/api/v1',
  pods: '/api/v1',
  services: '/api/v1',
  jobs: '/apis/batch/v1',
  networkpolicies: '/apis/networking.k8s.io/v1',
} as const;

export type Collection = keyof typeof COLLECTIONS;

/** Names of objects and namespaces (RFC 1123), a subresource behind one slash at most. */
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?:\/(?:log|status))?$/;

/**
 * Path of a collection in a namespace, or of one object of it.
 *
 * @throws AppError `internal` for a name that could lead elsewhere.
 */
export function resourcePath(collection: Collection, namespace: string, name?: string): string {
  for (const part of name === undefined ? [namespace] : [namespace, name])
    if (!NAME.test(part)) throw new AppError('internal', `${JSON.stringify(part)} is no name of an object in a cluster`);
  return `${COLLECTIONS[collection]}/namespaces/${namespace}/${collection}${name === undefined ? '' : `/${name}`}`;
}
