import { beforeAll, expect, it } from 'vitest';
import { createOrAdopt } from './create-or-adopt.js';
import { executionName } from './execution-names.js';
import { executionObjects, ownedBy } from './execution-objects.js';
import type { ExecutionObjects } from './execution-objects.js';
import type { ExecutionSpec } from './execution-spec.js';
import { INSTALLATION } from './installation.js';
import type { KubeConnection } from './kube-connection.js';
import { LABELS } from './labels.js';
import type { JobManifest, Manifest } from './manifest.js';
import { resourcePath } from './resource-path.js';
import { changed } from './testing/changed.js';
import { describeWithCluster } from './testing/cluster.js';
import { ask, connectAsAccount, installOverlay, refusalOf } from './testing/installed-cluster.js';
import { executionSpec } from './testing/specs.js';

const REPOSITORY = 'registry.example/reenact/run';
const DIGEST = `@sha256:${'ab'.repeat(32)}`;
const { runNamespace, systemNamespace, executorAccount } = INSTALLATION;
/** Cases in which the server itself or Pod Security says no before our policy does. */
const EARLIER_WORDS: { job: Record<string, string>; pod: Record<string, string> } = {
  job: { 'a restart': 'only "Never" is supported' },
  pod: {
    'a runtime class': 'RuntimeClass "kata" not found',
    'the host’s network': 'violates PodSecurity',
    'the host’s processes': 'violates PodSecurity',
    'the host’s memory': 'violates PodSecurity',
    'a port of the host': 'violates PodSecurity',
    'a folder of the host': 'violates PodSecurity',
  },
};
const PATIENCE = { timeoutMilliseconds: 20_000, backoff: { first: 200, most: 2_000 }, retries: 3 };
const objects = (parts: Partial<ExecutionSpec> = {}) => executionObjects(executionSpec(parts), new Date(Date.now() + 3_600_000));

describeWithCluster('admission to the namespace of the runs', { nodes: 0 }, (cluster) => {
  let executor: KubeConnection;
  beforeAll(async () => {
    await installOverlay(cluster(), 'single-node', REPOSITORY);
    executor = await connectAsAccount(cluster(), systemNamespace, executorAccount);
  }, 120_000);

  it.each<[string, Partial<ExecutionSpec>]>([
    ['one rank', {}],
    ['several ranks', { ranks: 3 }],
    ['a priority of ours', { pool: { ...executionSpec().pool, priorityClass: INSTALLATION.priorityClasses[0] } }],
    ['a payload in parts', { payload: Buffer.alloc(2 * 1024 ** 2) }],
    ['a queue', { pool: { ...executionSpec().pool, queue: 'runs' } }],
  ])('takes all objects of an execution with %s from the executor', async (_, parts) => {
    const { root, parts: rest, service, policy, job } = objects(parts);
    const asked = [root, ...rest, service, policy, job].filter((manifest) => manifest !== null);
    const answers = await Promise.all(asked.map(async (manifest) => [manifest.kind, await refusalOf(executor, manifest)]));
    expect(answers).toEqual(asked.map(({ kind }) => [kind, null]));
  });

  const [runner] = objects().job.spec.template.spec.containers;
  const container = ['spec', 'containers', 0];
  const POD_RULES: [string, (string | number)[], unknown, string][] = [
    ['an image by tag', [...container, 'image'], `${REPOSITORY}:latest`, 'images are named by digest'],
    ['a digest that is none', [...container, 'image'], `${REPOSITORY}@sha256:ab`, 'images are named by digest'],
    ['another repository', [...container, 'image'], `registry.example/other${DIGEST}`, 'repository is not on the list'],
    ['a repository that begins like it', [...container, 'image'], `${REPOSITORY}/../x${DIGEST}`, 'repository is not on the list'],
    ['a runtime class', ['spec', 'runtimeClassName'], 'kata', 'runtime class is not on the list'],
    ['another account', ['spec', 'serviceAccountName'], 'default', 'account reenact-run'],
    ['a token', ['spec', 'automountServiceAccountToken'], true, 'no token is mounted'],
    ['a token by silence', ['spec', 'automountServiceAccountToken'], undefined, 'no token is mounted'],
    ['the host’s network', ['spec', 'hostNetwork'], true, 'nothing of the host is shared'],
    ['the host’s processes', ['spec', 'hostPID'], true, 'nothing of the host is shared'],
    ['the host’s memory', ['spec', 'hostIPC'], true, 'nothing of the host is shared'],
    ['a port of the host', [...container, 'ports'], [{ containerPort: 80, hostPort: 80 }], 'no ports are named'],
    ['a container beside it', ['spec', 'containers', 1], { ...runner, name: 'second' }, 'there is one container'],
    ['a container before it', ['spec', 'initContainers'], [{ ...runner, name: 'first' }], 'there is one container'],
    ['a folder of the host', ['spec', 'volumes', 1], { name: 'scratch', hostPath: { path: '/' } }, 'volumes are folders with a limit'],
    ['a folder without limit', ['spec', 'volumes', 1], { name: 'scratch', emptyDir: {} }, 'volumes are folders with a limit'],
    ['a claim to write to', ['spec', 'volumes', 1], { name: 'scratch', persistentVolumeClaim: { claimName: 'c' } }, 'volumes are folders'],
    ['a secret', ['spec', 'volumes', 1], { name: 'scratch', secret: { secretName: 's' } }, 'volumes are folders with a limit'],
    ['a projected token', ['spec', 'volumes', 0, 'projected', 'sources'], [{ serviceAccountToken: { path: 't' } }], 'volumes are folders'],
    ['ConfigMaps of another', ['spec', 'volumes', 0, 'projected', 'sources'], [{ configMap: { name: 'xother' } }], 'volumes are folders'],
    [
      'variables of a secret',
      [...container, 'env', 0],
      { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      'variables have',
    ],
    ['variables of a ConfigMap', [...container, 'envFrom'], [{ configMapRef: { name: 'c' } }], 'variables have values'],
    ['no limit of memory', [...container, 'resources', 'limits', 'memory'], undefined, 'requests equal limits'],
    ['a request below the limit', [...container, 'resources', 'requests', 'cpu'], '10m', 'requests equal limits'],
    ['a root to write to', [...container, 'securityContext', 'readOnlyRootFilesystem'], false, 'root file system is read only'],
    ['no arm', ['metadata', 'labels', LABELS.arm], undefined, 'labels of an execution are missing'],
    ['another manager', ['metadata', 'labels', LABELS.managedBy], 'helm', 'labels of an execution are missing'],
    ['another network', ['metadata', 'labels', LABELS.network], 'open', 'labels of an execution are missing'],
    ['another’s execution', ['metadata', 'labels', LABELS.execution], 'xother', 'id is the name of its Job'],
    ['a restart', ['spec', 'restartPolicy'], 'OnFailure', 'does not start an execution again'],
  ];

  it.each(POD_RULES)('refuses a Job whose pods have %s', async (what, path, value, words) => {
    const job = changed(objects().job, ['spec', 'template', ...path], value);
    expect(await refusalOf(executor, job)).toContain(EARLIER_WORDS.job[what] ?? words);
  });

  it.each(POD_RULES)('refuses a pod with %s, whoever asks', async (what, path, value, words) => {
    const pod = podOf(objects().job);
    expect(await refusalOf(cluster().connection, pod)).toBeNull();
    expect(await refusalOf(cluster().connection, changed(pod, path, value))).toContain(EARLIER_WORDS.pod[what] ?? words);
  });

  it.each<[string, (string | number)[], unknown, string]>([
    ['another name', ['metadata', 'name'], 'other', 'id is the name of its Job'],
    ['a second try', ['spec', 'backoffLimit'], 1, 'does not start an execution again'],
    ['more pods than ranks', ['spec', 'parallelism'], 2, 'does not start an execution again'],
    ['a priority of others', ['spec', 'template', 'spec', 'priorityClassName'], 'system-node-critical', 'one of Reenact'],
  ])('refuses a Job with %s, whoever asks', async (_, path, value, words) => {
    expect(await refusalOf(cluster().connection, changed(objects().job, path, value))).toContain(words);
  });

  it('refuses a second try of one of several ranks', async () => {
    const job = changed(objects({ ranks: 2 }).job, ['spec', 'backoffLimitPerIndex'], 1);
    expect(await refusalOf(executor, job)).toContain('does not start an execution again');
  });

  it('refuses a pod that belongs to no Job', async () => {
    const pod = changed(podOf(objects().job), ['metadata', 'ownerReferences'], undefined);
    expect(await refusalOf(cluster().connection, pod)).toContain('id is the name of its Job');
  });

  const several = () => objects({ ranks: 2 });
  const peer = (labels: object) => ({ podSelector: { matchLabels: labels } });
  const name = executionName(executionSpec().key);
  const own = { [LABELS.execution]: name };
  it.each<[string, ['root' | 'service' | 'policy', ...(string | number)[]], unknown, string]>([
    ['a ConfigMap of nobody', ['root', 'metadata', 'labels'], {}, 'objects of executions only'],
    ['a ConfigMap of another manager', ['root', 'metadata', 'labels', LABELS.managedBy], 'helm', 'objects of executions only'],
    ['a ConfigMap under another name', ['root', 'metadata', 'name'], 'kube-root-ca.crt', 'have its id as their name'],
    ['a ConfigMap that changes', ['root', 'immutable'], false, 'do not change'],
    ['a Service with an address', ['service', 'spec', 'clusterIP'], undefined, 'has no address'],
    ['a Service on every node', ['service', 'spec'], { type: 'NodePort', selector: own, ports: [{ port: 80 }] }, 'has no address'],
    ['a Service for an outer address', ['service', 'spec', 'externalIPs'], ['192.0.2.1'], 'has no address'],
    ['a Service of others', ['service', 'spec', 'selector'], { app: 'x' }, 'selects that execution'],
    ['a policy for all pods', ['policy', 'spec', 'podSelector'], {}, 'selects that execution and both directions'],
    ['a policy for others', ['policy', 'spec', 'podSelector', 'matchLabels'], { [LABELS.execution]: 'xother' }, 'selects that execution'],
    ['a policy of one direction', ['policy', 'spec', 'policyTypes'], ['Egress'], 'both directions'],
    ['a policy that lets all in', ['policy', 'spec', 'ingress'], [{}], 'lets only that execution'],
    ['a policy that lets all out', ['policy', 'spec', 'egress'], [{}], 'lets only that execution'],
    ['a policy towards others', ['policy', 'spec', 'egress', 0, 'to', 1], peer({ app: 'x' }), 'lets only that execution'],
    ['a policy towards all', ['policy', 'spec', 'egress', 0, 'to', 0], { podSelector: {} }, 'lets only that execution'],
    [
      'a policy towards addresses',
      ['policy', 'spec', 'egress', 0, 'to', 0],
      { ipBlock: { cidr: '0.0.0.0/0' } },
      'lets only that execution',
    ],
    [
      'a policy towards namespaces',
      ['policy', 'spec', 'egress', 0, 'to', 0],
      { ...peer(own), namespaceSelector: {} },
      'lets only that execution',
    ],
  ])('refuses %s from the executor', async (_, path, value, words) => {
    const { [path[0]]: manifest } = changed(several(), path, value) as ExecutionObjects;
    expect(await refusalOf(executor, manifest ?? {})).toContain(words);
  });

  it('keeps the executor from what others made', async () => {
    for (const [collection, other] of [
      ['networkpolicies', 'default-deny'],
      ['networkpolicies', 'ranks-dns'],
      ['configmaps', 'kube-root-ca.crt'],
    ] as const) {
      const { failure } = await ask(executor, 'DELETE', resourcePath(collection, runNamespace, other), undefined, { dryRun: 'All' });
      expect([other, failure?.message]).toEqual([other, expect.stringContaining('objects of executions only')]);
    }
  });

  it.each([1, 2])(
    'lets the cluster make the pods of a real Job with %i ranks, which nobody changes, and the executor delete all',
    async (ranks) => {
      const made = objects({ ranks, key: { ...executionSpec().key, runToken: `t${Date.now()}` } });
      const options = { ...PATIENCE, signal: AbortSignal.timeout(60_000) };
      const root = await createOrAdopt(executor, made.root, options);
      const owner = { name: made.name, uid: 'uid' in root ? root.uid : '' };
      const rest: (Manifest | null)[] = [made.service, made.policy, made.job];
      for (const manifest of rest)
        if (manifest !== null) expect(await createOrAdopt(executor, ownedBy(manifest, owner), options)).toMatchObject({ made: 'created' });
      const selector = { labelSelector: `${LABELS.execution}=${made.name}` };
      const pods = () => listed(executor, resourcePath('pods', runNamespace), selector);
      await expect.poll(async () => (await pods()).length, { timeout: 60_000 }).toBe(ranks);
      const [pod] = await pods();
      const path = resourcePath('pods', runNamespace, pod?.metadata.name ?? '');
      for (const [patch, words] of [
        [{ metadata: { labels: { [LABELS.network]: 'isolated2' } } }, 'stay as they are'],
        [{ metadata: { labels: { [LABELS.execution]: null } } }, 'stay as they are'],
        [{ spec: { containers: [{ ...pod?.spec.containers[0], image: `${REPOSITORY}@sha256:${'cd'.repeat(32)}` }] } }, 'stay as they are'],
      ] as const)
        expect((await ask(cluster().connection, 'PATCH', path, patch)).failure?.message).toContain(words);
      await expect(
        cluster().kubectl(['debug', '-n', runNamespace, pod?.metadata.name ?? '', '--image=x', '--target=runner', '--profile=restricted']),
      ).rejects.toThrow('no container is added');
      const body = { propagationPolicy: 'Background', preconditions: { uid: owner.uid } };
      expect((await ask(executor, 'DELETE', resourcePath('configmaps', runNamespace, made.name), body)).failure).toBeNull();
      await expect.poll(async () => (await pods()).length, { timeout: 60_000 }).toBe(0);
    },
  );
});

interface ListedPod {
  metadata: { name: string };
  spec: { containers: object[] };
}

async function listed(connection: KubeConnection, path: string, query: Record<string, string>): Promise<ListedPod[]> {
  return ((await ask(connection, 'GET', path, undefined, query)).body as { items: ListedPod[] }).items;
}

/** The pod that the Job controller would make. */
function podOf(job: JobManifest): object {
  const { metadata, spec } = job.spec.template;
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: job.metadata.name, uid: 'u', controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: `${job.metadata.name}-0-abcde`, namespace: job.metadata.namespace, ownerReferences: [owner] },
    spec,
  };
}
