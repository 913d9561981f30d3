import { beforeAll, describe, expect, it } from 'vitest';
import { INSTALLATION } from './installation.js';
import type { KubeConnection } from './kube-connection.js';
import { describeWithCluster, MANIFESTS } from './testing/cluster.js';
import type { Overlay } from './testing/installed-cluster.js';
import { ask, connectAsAccount, installOverlay } from './testing/installed-cluster.js';

const { runNamespace, systemNamespace, executorAccount, runAccount } = INSTALLATION;
const OVERLAYS: Overlay[] = ['gpu-pools', 'single-node'];

describeWithCluster('the installation', { nodes: 0 }, (cluster) => {
  describe.each(OVERLAYS)('overlay %s', (overlay) => {
    beforeAll(() => installOverlay(cluster(), overlay, 'registry.example/reenact/run'), 120_000);

    it('applies, and again without a change', async () => {
      const argv = ['apply', '--server-side', '--force-conflicts', '--validate=strict', '-k', `${MANIFESTS}/overlays/${overlay}`];
      const dry = await cluster().kubectl([...argv, '--dry-run=server', '-o', 'json']);
      const { items } = JSON.parse(dry) as { items: Installed[] };
      const { items: again } = JSON.parse(await cluster().kubectl([...argv, '-o', 'json'])) as { items: Installed[] };
      const generations = (list: Installed[]) => list.map(({ kind, metadata }) => [kind, metadata.name, metadata.uid, metadata.generation]);
      expect(generations(again)).toEqual(generations(items));
      expect(items.length).toBeGreaterThan(20);
    });

    it('has policies whose expressions the server understands', async () => {
      const text = await cluster().kubectl(['get', 'validatingadmissionpolicies', '-o', 'json']);
      const { items } = JSON.parse(text) as { items: (Installed & { status?: { typeChecking?: object } })[] };
      const ours = items.filter(({ metadata }) => metadata.name.startsWith('reenact-'));
      expect(ours.map(({ metadata, status }) => [metadata.name, status?.typeChecking])).toEqual(
        ['reenact-executor', 'reenact-run-changes', 'reenact-runs'].map((name) => [name, {}]),
      );
    });
  });

  describe('rights of the executor', () => {
    let executor: KubeConnection;
    beforeAll(async () => {
      await installOverlay(cluster(), 'single-node', 'registry.example/reenact/run');
      executor = await connectAsAccount(cluster(), systemNamespace, executorAccount);
    }, 120_000);

    const OWN = { namespace: runNamespace };
    const MAKES = ['create', 'get', 'list', 'watch', 'delete'];
    it.each<[string, string, string[]]>([
      ['', 'configmaps', MAKES],
      ['', 'services', MAKES],
      ['networking.k8s.io', 'networkpolicies', MAKES],
      ['batch', 'jobs', MAKES],
      ['', 'pods', ['get', 'list', 'watch', 'delete']],
      ['', 'pods/log', ['get']],
      ['', 'events', ['list']],
    ])('in the runs’ namespace: %s %s', async (group, resource, may) => {
      const all = [...MAKES, 'update', 'patch', 'deletecollection'];
      const allowed = await Promise.all(all.map((verb) => isAllowed(executor, { ...OWN, group, resource, verb })));
      expect(all.filter((_, index) => allowed[index])).toEqual(may);
    });

    it.each<[string, Attributes]>([
      ['enter a pod', { ...OWN, resource: 'pods/exec', verb: 'create' }],
      ['attach to a pod', { ...OWN, resource: 'pods/attach', verb: 'create' }],
      ['reach ports of a pod', { ...OWN, resource: 'pods/portforward', verb: 'create' }],
      ['add a container', { ...OWN, resource: 'pods/ephemeralcontainers', verb: 'patch' }],
      ['evict', { ...OWN, resource: 'pods/eviction', verb: 'create' }],
      ['read secrets', { ...OWN, resource: 'secrets', verb: 'get' }],
      ['make tokens', { ...OWN, resource: 'serviceaccounts/token', verb: 'create' }],
      ['be another', { ...OWN, resource: 'serviceaccounts', verb: 'impersonate' }],
      ['give rights', { ...OWN, group: 'rbac.authorization.k8s.io', resource: 'rolebindings', verb: 'create' }],
      ['change the quota', { ...OWN, resource: 'resourcequotas', verb: 'patch' }],
      ['change its own lists', { namespace: systemNamespace, resource: 'configmaps', verb: 'patch' }],
      ['take its own lists away', { namespace: systemNamespace, resource: 'configmaps', verb: 'delete' }],
      ['make Jobs elsewhere', { namespace: 'default', group: 'batch', resource: 'jobs', verb: 'create' }],
      ['read pods of all', { resource: 'pods', verb: 'list' }],
      ['change nodes', { resource: 'nodes', verb: 'patch' }],
      ['reach kubelets', { resource: 'nodes/proxy', verb: 'get' }],
      ['change the namespace', { resource: 'namespaces', name: runNamespace, verb: 'patch' }],
      ['change admission', { group: 'admissionregistration.k8s.io', resource: 'validatingadmissionpolicies', verb: 'delete' }],
    ])('it may not %s', async (_, attributes) => {
      expect(await isAllowed(executor, attributes)).toBe(false);
    });

    it('it may read nodes', async () => {
      const allowed = await Promise.all(['get', 'list', 'watch'].map((verb) => isAllowed(executor, { resource: 'nodes', verb })));
      expect(allowed).toEqual([true, true, true]);
    });
  });

  it('gives the account of runs no right but those that everybody has', async () => {
    const ours = await rulesOf(await connectAsAccount(cluster(), runNamespace, runAccount), runNamespace);
    await cluster()
      .kubectl(['create', 'serviceaccount', 'nobody', '-n', 'default'])
      .catch(() => undefined);
    const others = await rulesOf(await connectAsAccount(cluster(), 'default', 'nobody'), 'default');
    expect(ours).toEqual(others);
    // Questions about itself, and the certificates that a cluster shows to everybody.
    const named = ours.resourceRules.flatMap(({ resources }) => resources);
    expect(named.filter((name) => !name.startsWith('self') && name !== 'clustertrustbundles')).toEqual([]);
  });
});

interface Installed {
  kind: string;
  metadata: { name: string; uid: string; generation?: number };
}

interface Attributes {
  namespace?: string;
  group?: string;
  resource: string;
  verb: string;
  name?: string;
}

async function isAllowed(connection: KubeConnection, attributes: Attributes): Promise<boolean> {
  const [resource, subresource] = attributes.resource.split('/');
  const resourceAttributes = { ...attributes, resource, ...(subresource === undefined ? {} : { subresource }) };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } };
  const { body } = await ask(connection, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
  return (body as { status: { allowed: boolean } }).status.allowed;
}

interface Rules {
  resourceRules: { verbs: string[]; resources: string[] }[];
  nonResourceRules: object[];
}

async function rulesOf(connection: KubeConnection, namespace: string): Promise<Rules> {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } };
  const { body } = await ask(connection, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', review);
  const { resourceRules, nonResourceRules } = (body as { status: Rules }).status;
  const sorted = <T>(rules: T[]): T[] => [...rules].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  return { resourceRules: sorted(resourceRules), nonResourceRules: sorted(nonResourceRules) };
}
