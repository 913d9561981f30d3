import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Launch, RunImage } from '@reenact/domain';
import { Launch as LaunchSchema } from '@reenact/domain/schemas';
import { createClusterWatch } from '../cluster-watch.js';
import type { ClusterWatch } from '../cluster-watch.js';
import { executionName, executionNonce } from '../execution-names.js';
import type { ExecutionSpec } from '../execution-spec.js';
import { INSTALLATION } from '../installation.js';
import { LABELS } from '../labels.js';
import { packPayload } from '../pack-payload.js';
import { deleteExecution, runExecution } from '../run-execution.js';
import type { ExecutionDeps, ExecutionResult } from '../run-execution.js';
import type { Cluster } from './cluster.js';
import { connectAsAccount, installOverlay } from './installed-cluster.js';
import { executionSpec } from './specs.js';

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));
const REPOSITORY = 'localhost/reenact/run';
/** In the registry of the test bed, whose answers a test chooses. */
export const REGISTRY_REPOSITORY = 'registry.test/reenact/run';
const REPOSITORIES = `${REPOSITORY}\n${REGISTRY_REPOSITORY}`;
/** Below it the machine's own Python and frameworks lie, which pods of the test cluster get as a claim. */
const MACHINE = { claim: 'machine-usr', directory: '/usr' };
const PATIENCE_SECONDS = 60;
export const LIVE_REQUESTS = { timeoutMilliseconds: 5_000, backoff: { first: 200, most: 2_000 }, retries: 8 };
const KEY = Buffer.alloc(32, 7);

/** An execution that a test makes, and what it does to it meanwhile. */
export interface LiveTrial {
  script: string;
  limits?: Partial<Launch['limits']>;
  launch?: Partial<Launch>;
  /** Default: the one of the image. */
  interpreter?: string;
  spec?: Partial<ExecutionSpec>;
  /** Called once, when the script has printed `ready`. */
  meddle?: (running: { name: string; pod: string; node: string }) => Promise<unknown>;
  signal?: AbortSignal;
}

/** A cluster with everything installed that executions need, used with the rights of the executor alone. */
export interface LiveCluster {
  cluster: Cluster;
  image: RunImage;
  watch: ClusterWatch;
  /** Runs an execution to its outcome and deletes it. */
  run(trial: LiveTrial): Promise<ExecutionResult & { name: string }>;
  specOf(trial: LiveTrial): Promise<ExecutionSpec>;
  /** Objects of executions that are still there, once nothing changes any more. */
  remains(): Promise<string[]>;
  kubectl(...argv: string[]): Promise<string>;
  /** Applies the manifests again. */
  install(): Promise<void>;
  close(): void;
}

/** Installs the manifests, an image with supervisor and probe, and the claim that holds interpreters. */
export async function openLiveCluster(cluster: Cluster): Promise<LiveCluster> {
  await installOverlay(cluster, 'single-node', REPOSITORIES);
  for (const node of (await cluster.kubectl(['get', 'nodes', '-o', 'name'])).trim().split('\n'))
    await cluster.kubectl(['label', node, '--overwrite', 'reenact.dev/pool=cpu']);
  await cluster.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: claimOfMachine() }));
  const image = await importRunImage(cluster);
  const connection = await connectAsAccount(cluster, INSTALLATION.systemNamespace, INSTALLATION.executorAccount);
  const watch = createClusterWatch(connection, INSTALLATION.runNamespace);
  const deps = async (): Promise<ExecutionDeps> => ({
    ...(await watch.filled()),
    make: LIVE_REQUESTS,
    now: () => performance.now() / 1000,
  });
  return {
    cluster,
    image,
    watch,
    specOf: (trial) => specOf(trial, image),
    async run(trial) {
      const spec = await specOf(trial, image);
      const name = executionName(spec.key);
      const ready = await deps();
      try {
        return { ...(await runLive(ready, spec, { trial, cluster })), name };
      } finally {
        await deleteExecution(ready, spec.key.namespace, name);
      }
    },
    remains: () => remainsOf(cluster),
    install: () => installOverlay(cluster, 'single-node', REPOSITORIES),
    kubectl: (...argv) => cluster.kubectl(['-n', INSTALLATION.runNamespace, ...argv]),
    close: () => watch.close(),
  };
}

let count = 0;

async function specOf(trial: LiveTrial, image: RunImage): Promise<ExecutionSpec> {
  const base = await mkdtemp(path.join(tmpdir(), 'reenact-live-'));
  const directories = { script: path.join(base, 'script'), subject: path.join(base, 'subject') };
  await mkdir(directories.script);
  await mkdir(directories.subject);
  await writeFile(path.join(directories.script, 'main.py'), trial.script);
  await writeFile(path.join(directories.subject, 'project.py'), 'ANSWER = 42\n');
  const payload = await packPayload(directories);
  await rm(base, { recursive: true });
  const limits = { wallSeconds: 60, memoryBytes: 256 * 1024 ** 2, diskBytes: 64 * 1024 ** 2, ...trial.limits };
  const launch = LaunchSchema.parse({ schemaVersion: 1, steps: [{ argv: ['python', '@script/main.py'] }], ...trial.launch, limits });
  const plain = executionSpec();
  const key = { ...plain.key, trial: `live-${process.pid}-${count++}` };
  return {
    ...plain,
    key,
    image,
    payload,
    pool: { ...plain.pool, tolerations: [], cpuMillis: 250 },
    run: { ...plain.run, launch, interpreter: trial.interpreter ?? image.interpreter },
    nonce: executionNonce(executionName(key), KEY),
    ...trial.spec,
  };
}

async function runLive(
  deps: ExecutionDeps,
  spec: ExecutionSpec,
  { trial, cluster }: { trial: LiveTrial; cluster: Cluster },
): Promise<ExecutionResult> {
  let meddled: Promise<unknown> = Promise.resolve();
  let isMet = false;
  const name = executionName(spec.key);
  const result = await runExecution(deps, spec, {
    notAfter: new Date(Date.now() + 3_600_000),
    signal: trial.signal ?? new AbortController().signal,
    onProgress: ({ lastLine }) => {
      if (lastLine !== 'ready' || trial.meddle === undefined || isMet) return;
      isMet = true;
      meddled = podOf(cluster, name).then(trial.meddle);
    },
  });
  await meddled;
  return result;
}

async function podOf(cluster: Cluster, name: string): Promise<{ name: string; pod: string; node: string }> {
  const argv = ['-n', INSTALLATION.runNamespace, 'get', 'pods', '-l', `${LABELS.execution}=${name}`, '-o'];
  const text = await cluster.kubectl([...argv, 'jsonpath={.items[0].metadata.name} {.items[0].spec.nodeName}']);
  const [pod = '', node = ''] = text.split(' ');
  return { name, pod, node };
}

async function remainsOf(cluster: Cluster): Promise<string[]> {
  const kinds = 'jobs,pods,configmaps,services,networkpolicies';
  for (let waited = 0; ; waited++) {
    const text = await cluster.kubectl(['-n', INSTALLATION.runNamespace, 'get', kinds, '-l', LABELS.execution, '-o', 'name']);
    const found = text.split('\n').filter((line) => line !== '');
    if (found.length === 0 || waited === PATIENCE_SECONDS) return found;
    await sleep(1_000);
  }
}

function claimOfMachine(): object[] {
  const size = { storage: '1Ti' };
  const shared = { accessModes: ['ReadOnlyMany'], storageClassName: '' };
  const claim = { name: MACHINE.claim, namespace: INSTALLATION.runNamespace };
  return [
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: MACHINE.claim } },
      spec: { ...shared, capacity: size, hostPath: { path: MACHINE.directory }, claimRef: claim, persistentVolumeReclaimPolicy: 'Retain' },
    },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claim },
      spec: { ...shared, volumeName: MACHINE.claim, resources: { requests: size } },
    },
  ];
}

/** An image with supervisor and probe whose `/usr` is empty, to mount the machine's in. */
async function importRunImage(cluster: Cluster): Promise<RunImage> {
  const root = await mkdtemp(path.join(tmpdir(), 'reenact-image-'));
  for (const folder of ['usr', 'tmp', 'proc', 'sys', 'dev', 'etc', 'in', 'scratch', 'opt/reenact'])
    await mkdir(path.join(root, folder), { recursive: true });
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${folder}`, path.join(root, folder));
  for (const part of ['supervisor', 'probe'])
    await cp(path.join(PACKAGE, part), path.join(root, 'opt/reenact', part), {
      recursive: true,
      filter: (file) => !file.includes('__pycache__'),
    });
  // Where Debian says which of several libraries is meant.
  for (const part of ['alternatives', 'ld.so.cache'])
    await cp(path.join('/etc', part), path.join(root, 'etc', part), { recursive: true, verbatimSymlinks: true });
  await writeFile(path.join(root, 'etc/passwd'), 'run:x:10001:10001::/scratch:/bin/sh\n');
  const image = await cluster.bed('image', REPOSITORY, root);
  await rm(root, { recursive: true });
  const python = await promisify(execFile)('/usr/bin/python3', ['-I', '-S', '-c', 'import sys; print(sys.executable)']);
  const interpreter = python.stdout.trim();
  return { interpreter, image: image.trim(), supervisorPython: interpreter, volumes: [{ claim: MACHINE.claim, mountPath: '/usr' }] };
}
