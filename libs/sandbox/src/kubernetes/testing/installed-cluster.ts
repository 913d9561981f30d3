import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import { INSTALLATION } from '../installation.js';
import type { KubeConnection } from '../kube-connection.js';
import { sendRequest } from '../kube-request.js';
import type { KubeAnswer, KubeRequest } from '../kube-request.js';
import type { Manifest } from '../manifest.js';
import { resourcePath } from '../resource-path.js';
import type { Collection } from '../resource-path.js';
import { MANIFESTS } from './cluster.js';
import type { Cluster } from './cluster.js';

const TIMEOUT_MILLISECONDS = 20_000;
/** Policies of admission reach the server's own cache some time after they were stored. */
const POLICY_PATIENCE_MILLISECONDS = 60_000;
const TOKEN_SECONDS = 3_600;

/** Name of a folder below `k8s/overlays`. */
export type Overlay = 'single-node' | 'gpu-pools';

/** Applies an overlay as an operator does, and lets runs have images of `repository`. Returns when its admission policies are in force. */
export async function installOverlay(cluster: Cluster, overlay: Overlay, repository: string): Promise<void> {
  await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '-k', `${MANIFESTS}/overlays/${overlay}`]);
  await cluster.kubectl(
    ['patch', 'configmap', INSTALLATION.admissionParameters, '-n', INSTALLATION.systemNamespace, '--type=merge', '-p'].concat(
      JSON.stringify({ data: { repositories: repository } }),
    ),
  );
  const until = Date.now() + POLICY_PATIENCE_MILLISECONDS;
  while (!(await isHeld(cluster))) {
    if (Date.now() > until) throw new AppError('internal', 'the admission policies do not come into force');
    await sleep(200);
  }
}

/** Whether a Job that breaks every rule is refused by our policy, and by its rules rather than for want of its lists. */
async function isHeld(cluster: Cluster): Promise<boolean> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'none', image: 'none' }] } };
  const metadata = { name: 'none', namespace: INSTALLATION.runNamespace };
  const words = await refusalOf(cluster.connection, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } });
  return words?.includes('images are named by digest') ?? false;
}

/** A connection with the rights of a service account, by a token of an hour. */
export async function connectAsAccount(cluster: Cluster, namespace: string, account: string): Promise<KubeConnection> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: TOKEN_SECONDS } };
  const { body, failure } = await ask(cluster.connection, 'POST', path, request);
  const token = (body as { status?: { token?: unknown } } | null)?.status?.token;
  if (typeof token !== 'string') throw new AppError('internal', `there is no token for ${account}: ${failure?.message ?? ''}`);
  return cluster.connectAs(token);
}

const COLLECTIONS: Record<Manifest['kind'], Collection> = {
  ConfigMap: 'configmaps',
  Service: 'services',
  NetworkPolicy: 'networkpolicies',
  Job: 'jobs',
};

/** Asks whether an object would be taken, without making it; null = it would, else the server's words. */
export async function refusalOf(connection: KubeConnection, manifest: object): Promise<string | null> {
  const { kind, metadata } = manifest as { kind: Manifest['kind'] | 'Pod'; metadata: { namespace: string } };
  const path = resourcePath(kind === 'Pod' ? 'pods' : COLLECTIONS[kind], metadata.namespace);
  const { failure } = await ask(connection, 'POST', path, manifest, { dryRun: 'All', fieldValidation: 'Strict' });
  return failure?.message ?? null;
}

/** One request, with the time that tests give it. */
export function ask(
  connection: KubeConnection,
  method: KubeRequest['method'],
  path: string,
  ...[body, query]: [body?: unknown, query?: Record<string, string>]
): Promise<KubeAnswer> {
  return sendRequest(connection, {
    ...{ method, path, timeoutMilliseconds: TIMEOUT_MILLISECONDS },
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
  });
}
