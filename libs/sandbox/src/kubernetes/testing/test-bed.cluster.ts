import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithCluster } from './cluster.js';
import { plainPod, restrictedPod } from './test-pods.js';

const CHECK = fileURLToPath(new URL('../../../../../tools/test-beds/kubernetes/check-teardown.sh', import.meta.url));
const NAMESPACE = 'test-bed';
const RESTRICTED = 'test-bed-restricted';
const PATIENCE_SECONDS = 60;
const NODES = ['node1', 'node2'];

/** What the other cluster tests take for granted of the cluster that they run on. */
describeWithCluster('the test cluster', { nodes: NODES.length }, (cluster) => {
  let image = '';
  const bed = async (...argv: string[]) => (await cluster().bed(...argv)).trim();
  const kubectl = (...argv: string[]) => cluster().kubectl(['-n', NAMESPACE, ...argv]);
  const apply = (...items: object[]) =>
    cluster().kubectl(['-n', NAMESPACE, 'apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  /** What a command in a pod prints; "failed" where it ends with an error or does not end. */
  const inPod = (pod: string, ...argv: string[]) => kubectl('exec', pod, '--', 'timeout', '5', ...argv).catch(() => 'failed');
  const field = (kind: string, name: string, jsonpath: string) => kubectl('get', kind, name, '-o', `jsonpath={${jsonpath}}`);
  const isReady = (node: string) => field('node', node, '.status.conditions[?(@.type=="Ready")].status');
  const expectSoon = (read: () => Promise<string>, matcher: string | RegExp) =>
    expect.poll(read, { timeout: PATIENCE_SECONDS * 1000, interval: 500 }).toMatch(matcher);

  beforeAll(async () => {
    image = await bed('reference', 'busybox');
    await cluster().kubectl(['create', 'namespace', NAMESPACE]);
    const service = { clusterIP: 'None', publishNotReadyAddresses: true, selector: { app: 'ranks' } };
    const serving = ['sh', '-c', 'while true; do echo met | nc -l -p 9000; done'];
    await apply(
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'ranks' }, spec: service },
      plainPod('first', { image, command: serving, node: 'node1', subdomain: 'ranks' }),
      plainPod('second', { image, node: 'node2', subdomain: 'ranks' }),
      plainPod('third', { image, node: 'node1', subdomain: 'ranks' }),
    );
    await kubectl('wait', '--for=condition=Ready', 'pod', '--all', `--timeout=${PATIENCE_SECONDS}s`);
  });
  afterAll(() => cluster().kubectl(['delete', 'namespace', '--ignore-not-found', NAMESPACE, RESTRICTED]));

  const host = `first.ranks.${NAMESPACE}.svc.cluster.local`;
  const meet = (pod: string) => inPod(pod, 'nc', '-w', '3', host, '9000');

  it.each(['second', 'third'])('lets the %s pod find the first by its name and reach it', async (pod) => {
    await expectSoon(() => meet(pod), 'met');
  });

  it('enforces policies: what is not let through is blocked', async () => {
    const address = await field('pod', 'first', '.status.podIP');
    const api = await field('pod', 'first', '.status.hostIP');
    const reach = (pod: string) => inPod(pod, 'nc', '-w', '3', address, '9000');
    const members = { matchExpressions: [{ key: 'name', operator: 'In', values: ['first', 'second'] }] };
    const peers = [{ podSelector: members }];
    const policyTypes = ['Ingress', 'Egress'];
    const policy = (name: string, spec: object) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name },
      spec,
    });
    await apply(policy('deny', { podSelector: {}, policyTypes }));
    await expectSoon(() => reach('second'), 'failed');
    await expectSoon(() => reach('third'), 'failed');
    expect(await inPod('third', 'nslookup', host)).toBe('failed');
    expect(await inPod('third', 'nc', '-w', '3', api, '10250')).toBe('failed');
    await apply(policy('allow', { podSelector: members, policyTypes, ingress: [{ from: peers }], egress: [{ to: peers }] }));
    await expectSoon(() => reach('second'), 'met');
    expect(await reach('third')).toBe('failed');
    await kubectl('delete', 'networkpolicy', '--all');
    await expectSoon(() => reach('third'), 'met');
  });

  it('answers an unprotected pod in the place of a metadata service and of a name server outside, and writes it down', async () => {
    await expectSoon(() => inPod('second', 'wget', '-q', '-O', '-', 'http://169.254.169.254/latest'), '"reached":"169.254.169.254"');
    await expectSoon(() => inPod('second', 'nslookup', 'secret.example.org'), '192.0.2.53');
    await expectSoon(() => inPod('second', 'nslookup', 'secret.example.net', '8.8.8.8'), '192.0.2.53');
    const seen = await bed('seen');
    expect(seen).toContain('"path":"/latest"');
    expect(seen).toContain('secret.example.org');
    expect(seen).toContain('secret.example.net');
  });

  it('gives an account the rights of the account', async () => {
    const kubeconfig = await bed('kubeconfig', NAMESPACE, 'default');
    const asAccount = (...argv: string[]) => cluster().kubectl(['--kubeconfig', kubeconfig, ...argv]);
    expect(await asAccount('auth', 'whoami')).toContain(`system:serviceaccount:${NAMESPACE}:default`);
    await expect(asAccount('get', 'pods', '-A')).rejects.toThrow(/forbidden/);
  });

  it('keeps devices that nobody serves while kubelets come and go, and made-up nodes alive', async () => {
    await bed('resource', 'node2', 'nvidia.com/gpu=8');
    await bed('fake', 'big', 'nvidia.com/gpu=16');
    await bed('kubelet', '2', 'kill');
    await bed('kubelet', '2', 'set', 'podPidsLimit=77', 'evictionHard.nodefs.available=2%');
    const values = () =>
      cluster()
        .kubectl(['get', '--raw', '/api/v1/nodes/node2/proxy/configz'])
        .catch(() => 'not yet');
    await expectSoon(values, '"podPidsLimit":77');
    expect(await values()).toContain('"nodefs.available":"2%"');
    await bed('kubelet', '2', 'set');
    await sleep(12_000); // longer than the cluster waits for a sign of life
    expect(await field('node', 'node2', '.status.allocatable.nvidia\\.com/gpu')).toBe('8');
    expect(await isReady('big')).toBe('True');
    await cluster().kubectl(['delete', 'node', 'big']);
  });

  it('loses a node that is cut off or crashes, and has it again', async () => {
    await bed('node', '2', 'partition');
    await expectSoon(() => isReady('node2'), 'Unknown');
    await bed('node', '2', 'heal');
    await expectSoon(() => isReady('node2'), 'True');
    await bed('node', '2', 'crash');
    expect(await bed('status')).not.toMatch(/^node2/m);
    await expectSoon(() => isReady('node2'), 'Unknown');
    await bed('node', '2', 'up');
    await expectSoon(() => isReady('node2'), 'True');
    await apply(plainPod('again', { image, node: 'node2' }));
    await expectSoon(() => meet('again'), 'met');
  });

  it('works on when its servers were away', async () => {
    for (const name of ['etcd', 'apiserver', 'scheduler', 'controllers']) {
      await bed('control', name, 'kill');
      await bed('control', name, 'start');
    }
    await apply(plainPod('later', { image, command: ['true'] }));
    await expectSoon(() => field('pod', 'later', '.status.phase'), 'Succeeded');
  });

  it('has a registry that fails as asked', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'reenact-image-'));
    await writeFile(path.join(root, 'file'), 'content');
    const reference = await bed('publish', 'team/app', root);
    await rm(root, { recursive: true });
    for (const [answer, reason] of [
      ['404', 'not found'],
      ['401', 'authorization failed'],
      ['429', '429 Too Many Requests'],
      ['503', '503 Service Unavailable'],
    ] as const) {
      await bed('registry', 'answer', answer);
      const pod = `refused-${answer}`;
      await apply(plainPod(pod, { image: reference, node: 'node1' }));
      const events = ['get', 'events', '--field-selector', `involvedObject.name=${pod},reason=Failed`, '-o', 'jsonpath={..message}'];
      await expectSoon(() => kubectl(...events), new RegExp(reason));
    }
    await bed('registry', 'answer', 'ok');
    const pull = ['get', 'pod', 'refused-404', '-o', 'jsonpath={.status.containerStatuses[0].imageID}'];
    await expectSoon(() => kubectl(...pull), /sha256/);
  });

  it('has a registry that keeps a pull waiting, until it is gone', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'reenact-image-'));
    await writeFile(path.join(root, 'file'), 'other content');
    const reference = await bed('publish', 'team/other', root);
    await rm(root, { recursive: true });
    await bed('registry', 'answer', 'hang');
    await apply(plainPod('waiting', { image: reference, node: 'node1' }));
    const events = (reason: string) =>
      kubectl('get', 'events', '--field-selector', `involvedObject.name=waiting,reason=${reason}`, '-o', 'name');
    await expectSoon(() => events('Pulling'), 'event');
    await sleep(3_000);
    expect(await events('Failed')).toBe('');
    await bed('registry', 'down');
    await expectSoon(() => events('Failed'), 'event');
    await bed('registry', 'answer', 'ok');
    await bed('registry', 'up');
  });

  it('lends a folder of this machine to restricted pods, to read only', async () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await cluster().kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: RESTRICTED, labels } }),
    );
    await bed('volume', RESTRICTED, 'machine-usr', '/usr');
    const empty = await bed('reference', 'empty');
    const command = ['/usr/bin/env', 'sh', '-c', 'cat /usr/lib/os-release && ! touch /usr/written'];
    const reader = restrictedPod('reader', { image: empty, command, claims: { 'machine-usr': '/usr' } });
    const restricted = (argv: string[], input = '') => cluster().kubectl(['-n', RESTRICTED, ...argv], input);
    await expectSoon(() => restricted(['apply', '-f', '-'], JSON.stringify(reader)), /created|unchanged/);
    await expectSoon(() => restricted(['get', 'pod', 'reader', '-o', 'jsonpath={.status.phase}']), 'Succeeded');
    expect(await restricted(['logs', 'reader'])).toMatch(/^NAME=/m);
  });

  it('leaves nothing when it is ended in the middle of its start', async () => {
    const { stdout } = await promisify(execFile)('bash', [CHECK, '1'], { env: { ...process.env, REENACT_CLUSTER_NODES: '1' } });
    expect(stdout).toMatch(/nothing is left/);
  });
});
