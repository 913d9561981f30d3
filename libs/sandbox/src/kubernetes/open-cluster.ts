import { readFile } from 'node:fs/promises';
import { AppError } from '@reenact/domain';
import type { Sandbox, SandboxConfiguration, SweepReport } from '@reenact/domain';
import { ClusterSettings } from '@reenact/domain/schemas';
import { parse } from 'yaml';
import { createClusterWatch } from './cluster-watch.js';
import { connectFromPod, connectTo } from './kube-connection.js';
import type { KubeConnection } from './kube-connection.js';
import { createKubernetesSandbox } from './kubernetes-sandbox.js';
import { readKubeconfig } from './read-kubeconfig.js';
import { sweepExecutions } from './sweep-executions.js';
import type { SweepOptions } from './sweep-executions.js';
import { PRODUCTION_TIMINGS, TEST_TIMINGS } from './timings.js';

export type ClusterConfiguration = Extract<SandboxConfiguration, { type: 'kubernetes' }>;

/** Waits and tries of single requests; what lasts longer is the workflow's to repeat. */
const REQUESTS = { timeoutMilliseconds: 15_000, backoff: { first: 500, most: 15_000 }, retries: 6 };
/** Between tries of a trial that the cluster spoiled (kubernetes.md 10.3: 30 s and twice as long each time). */
const REPEATS = { production: { first: 30_000, most: 300_000 }, test: { first: 500, most: 5_000 } };

/**
 * The sandbox of the cluster that a configuration names. Nothing is asked of the cluster before the first trial.
 *
 * @param secret key of the installation; workers that shall take over from each other need the same.
 * @throws AppError `config-invalid` for settings or a kubeconfig that cannot be used.
 */
export async function openClusterSandbox(configuration: ClusterConfiguration, secret: string): Promise<Sandbox> {
  const settings = await readClusterSettings(configuration.settings);
  const connection = await connectToCluster(configuration);
  return createKubernetesSandbox({
    ...settings,
    watch: createClusterWatch(connection, settings.namespace),
    make: REQUESTS,
    installationKey: Buffer.from(secret),
    timings: settings.timings === 'test' ? TEST_TIMINGS : PRODUCTION_TIMINGS,
    repeatBackoff: REPEATS[settings.timings],
  });
}

/** The connection that a configuration names: a kubeconfig, else the service account of this pod. Errors as `readKubeconfig`. */
export async function connectToCluster({ kubeconfig, context, apiHost, apiPort }: ClusterConfiguration): Promise<KubeConnection> {
  if (kubeconfig === null) return await connectFromPod({ host: apiHost, port: apiPort });
  return connectTo((await readKubeconfig(kubeconfig, context)).connection);
}

/**
 * Reads the settings of a cluster.
 *
 * @throws AppError `config-invalid`, with everything that is wrong and where it stands.
 */
export async function readClusterSettings(file: string): Promise<ClusterSettings> {
  let value: unknown;
  try {
    value = parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new AppError('config-invalid', `the settings of the cluster in ${file} cannot be read`, {
      cause,
      hint: 'KUBERNETES_SETTINGS names a YAML or JSON file; docs/kubernetes.md has an example',
    });
  }
  const parsed = ClusterSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `\n    ${issue.path.join('.') || 'the file'}: ${issue.message}`).join('');
  throw new AppError('config-invalid', `${file} has ${parsed.error.issues.length} problem(s):${problems}`, {
    hint: 'docs/kubernetes.md tells what stands in it',
  });
}

/**
 * Deletes executions that nobody needs any more, in the cluster that a configuration names (`sweepExecutions`).
 *
 * @throws AppError `config-invalid` for settings or a kubeconfig that cannot be used.
 */
export async function openClusterSweep(configuration: ClusterConfiguration): Promise<(options: SweepOptions) => Promise<SweepReport>> {
  const { namespace } = await readClusterSettings(configuration.settings);
  const connection = await connectToCluster(configuration);
  const { timeoutMilliseconds } = REQUESTS;
  return (options) => sweepExecutions({ connection, namespace, timeoutMilliseconds, now: () => Date.now() }, options);
}
