import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveCluster } from './live-executions.js';
import { plainPod } from './test-pods.js';

/** Without policies and without any rule of admission. */
export const UNPROTECTED_NAMESPACE = 'unprotected';
const CLAIM = 'unprotected-usr';
const PATIENCE_SECONDS = 90;
const MIGHTY = { capabilities: { add: ['ALL'] }, seccompProfile: { type: 'Unconfined' } };
/** Looks like a nonce, and is known by its first digits. */
const SECRET = `5ec2e7${'0'.repeat(58)}`;

/** A pod without protection, whose first process is no supervisor but has a secret. */
export interface UnprotectedPod {
  /** Its log, once it ended. */
  log: string;
  /** Status of the first process. */
  exitCode: number;
}

/** Makes the namespace and lends it the machine's interpreter. */
export async function prepareUnprotected({ cluster }: LiveCluster): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: UNPROTECTED_NAMESPACE } };
  await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(namespace));
  await cluster.bed('volume', UNPROTECTED_NAMESPACE, CLAIM, '/usr');
}

/** Runs a script in a pod with all rights below a first process that protects nothing; what it tries is meant to succeed. */
export async function runUnprotected(live: LiveCluster, name: string, script: string): Promise<UnprotectedPod> {
  const first = await readEscape('first-process');
  const { image, interpreter } = live.image;
  const command = ['/usr/bin/env', `REENACT_NONCE=${SECRET}`, interpreter, '-c', first, script, SECRET];
  const pod = plainPod(name, { image, command, claims: { [CLAIM]: '/usr' } }) as {
    spec: { containers: { volumeMounts: object[] }[]; volumes: object[] };
  };
  const containers = pod.spec.containers.map((container) => ({
    ...container,
    securityContext: MIGHTY,
    volumeMounts: [...container.volumeMounts, { name: 'shm', mountPath: '/dev/shm' }],
  }));
  const spec = { ...pod.spec, containers, volumes: [...pod.spec.volumes, { name: 'shm', emptyDir: { medium: 'Memory' } }] };
  const kubectl = (...argv: string[]) => live.cluster.kubectl(['-n', UNPROTECTED_NAMESPACE, ...argv]);
  const manifest = JSON.stringify({ ...pod, spec });
  await live.cluster.kubectl(['-n', UNPROTECTED_NAMESPACE, 'apply', '-f', '-'], manifest);
  const field = (path: string) => kubectl('get', 'pod', name, '-o', `jsonpath={.status.${path}}`);
  for (let waited = 0; !['Succeeded', 'Failed'].includes(await field('phase')) && waited < PATIENCE_SECONDS; waited++) await sleep(1_000);
  const exitCode = Number((await field('containerStatuses[0].state.terminated.exitCode')) || NaN);
  const log = await kubectl('logs', name);
  await kubectl('delete', 'pod', name, '--wait=false');
  return { log, exitCode };
}

/** A script of the folder `escapes`. */
export function readEscape(name: string): Promise<string> {
  return readFile(new URL(`escapes/${name}.py`, import.meta.url), 'utf8');
}
