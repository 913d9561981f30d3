import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe } from 'vitest';
import { AppError } from '@reenact/domain';
import { connectTo } from '../kube-connection.js';
import type { KubeConnection } from '../kube-connection.js';
import { readKubeconfig } from '../read-kubeconfig.js';
import { readClusterConfiguration } from './config.js';
import type { ClusterConfiguration } from './config.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const SCRIPT = path.join(ROOT, 'tools/test-beds/kubernetes/cluster.sh');
/** Folder of the manifests that an operator applies. */
export const MANIFESTS = path.join(ROOT, 'k8s');
/** The programs may have to be built first. */
const START_PATIENCE_MILLISECONDS = 1_800_000;

/** A real cluster that a file of tests shares. */
export interface Cluster {
  /** Where the test bed keeps it. */
  directory: string;
  /** As the administrator. */
  connection: KubeConnection;
  /** Runs kubectl as the administrator; gives what it prints. */
  kubectl(argv: readonly string[], input?: string): Promise<string>;
  /** Runs a command of the test bed (`tools/test-beds/kubernetes/cluster.sh`); gives what it prints. */
  bed(...argv: string[]): Promise<string>;
  /** A connection to the same server by a token. */
  connectAs(token: string): KubeConnection;
  stop(): Promise<void>;
}

/**
 * Tests against a real API server: the cluster of `REENACT_CLUSTER`, which stays, or one that is started and ended. Where the machine
 * cannot have one they are named as not run; in CI they fail then.
 *
 * @param nodes 0 = API server, etcd and controllers alone. A cluster that runs already has the nodes that it has.
 */
export function describeWithCluster(name: string, { nodes }: { nodes: number }, declare: (cluster: () => Cluster) => void): void {
  const configuration = readClusterConfiguration();
  const lack = missingPrerequisite(configuration);
  const isLeftOut = lack !== null && !configuration.mustRun;
  describe.skipIf(isLeftOut)(isLeftOut ? `${name} (not run: ${lack})` : name, () => {
    let cluster: Cluster | null = null;
    beforeAll(async () => {
      cluster = await startCluster(configuration, nodes);
    }, START_PATIENCE_MILLISECONDS);
    afterAll(() => cluster?.stop());
    declare(() => {
      if (cluster === null) throw new AppError('internal', 'the cluster is asked for before the tests began');
      return cluster;
    });
  });
}

/** Why this machine cannot have a cluster; null where it can. */
function missingPrerequisite({ directory, searchPath }: ClusterConfiguration): string | null {
  if (directory !== null && existsSync(path.join(directory, 'kubeconfig'))) return null;
  if (process.getuid?.() !== 0) return 'the test cluster needs root';
  if (!existsSync(SCRIPT)) return 'the test bed is not there';
  return searchPath.split(path.delimiter).some((folder) => existsSync(path.join(folder, 'go'))) ? null : 'there is no Go to build it with';
}

async function startCluster(configuration: ClusterConfiguration, nodes: number): Promise<Cluster> {
  const directory = configuration.directory ?? (await mkdtemp(path.join(tmpdir(), 'rk-')));
  const isOurs = configuration.directory === null;
  const env = { ...configuration.environment, REENACT_CLUSTER: directory, REENACT_CLUSTER_NODES: String(nodes) };
  const kubeconfig = path.join(directory, 'kubeconfig');
  if (!existsSync(kubeconfig)) await promisify(execFile)(SCRIPT, ['up'], { env });
  const program = await findKubectl(configuration.cacheDirectory);
  // Answers of another cluster, at the same address some time ago, are none of this one.
  const places = ['--kubeconfig', kubeconfig, '--cache-dir', path.join(directory, 'kubectl')];
  const kubectl = (argv: readonly string[], input = '') => runKubectl(program, [...places, ...argv], input);
  const { connection: admin } = await readKubeconfig(kubeconfig);
  const opened: KubeConnection[] = [];
  const connect = (token: string | null): KubeConnection => {
    const connection = connectTo(token === null ? admin : { ...admin, client: null, token: () => Promise.resolve(token) });
    opened.push(connection);
    return connection;
  };
  return {
    directory,
    connection: connect(null),
    kubectl,
    bed: async (...argv) => (await promisify(execFile)(SCRIPT, argv, { env })).stdout,
    connectAs: connect,
    async stop() {
      for (const connection of opened) connection.close();
      if (!isOurs) return;
      await promisify(execFile)(SCRIPT, ['down'], { env });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The program that the test bed was built with; of several, the newest. */
async function findKubectl(cacheDirectory: string): Promise<string> {
  const names = (await readdir(cacheDirectory)).filter((name) => /^kubernetes-[0-9a-f]+$/.test(name));
  const built = await Promise.all(
    names.map(async (name) => {
      const found = await stat(path.join(cacheDirectory, name, 'complete')).catch(() => null);
      return { program: path.join(cacheDirectory, name, 'kubectl'), at: found?.mtimeMs ?? 0 };
    }),
  );
  const [newest] = built.filter(({ at }) => at > 0).sort((one, other) => other.at - one.at);
  if (newest === undefined) throw new AppError('internal', `there is no kubectl below ${cacheDirectory}`);
  return newest.program;
}

async function runKubectl(program: string, argv: string[], input: string): Promise<string> {
  const running = promisify(execFile)(program, argv, { maxBuffer: 64 * 1024 ** 2 });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
