import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseEvidence } from '../evidence-reader.js';
import type { CanaryCheck, Endpoint } from './canary.js';
import { CANARY_PORT, INSTALLATION } from './installation.js';
import type { ExecutionResult } from './run-execution.js';
import { describeWithCluster } from './testing/cluster.js';
import type { Cluster } from './testing/cluster.js';
import { openLiveCluster } from './testing/live-executions.js';
import type { LiveCluster } from './testing/live-executions.js';
import { executionSpec } from './testing/specs.js';
import { TEST_TIMINGS } from './timings.js';
import { canaryNow, vouchIsolation } from './vouch-isolation.js';

const { systemNamespace, canary: CANARY } = INSTALLATION;
const SELECTOR = `app.kubernetes.io/name=${CANARY}`;
const HELLO = 'print("hello")\n';
const WAITING = 'import time\nprint("ready", flush=True)\ntime.sleep(20)\n';
const CLAIM = 'canary-usr';
/** Lets every run pod out: what a policy is that nobody enforces. */
const OPEN = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'open', namespace: INSTALLATION.runNamespace },
  spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
};

describeWithCluster('a run pod of a real cluster', { nodes: 1 }, (cluster) => {
  let live: LiveCluster;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
    await startCanary(live);
  }, 300_000);
  afterAll(() => live.close());
  afterEach(async () => {
    await live.kubectl('delete', 'networkpolicy', 'open', '--ignore-not-found');
    expect(await live.remains()).toEqual([]);
  }, 120_000);

  const endpoint = () => canaryAddress(cluster());
  const look = () => canaryCheck(cluster());
  const vouch = async (result: ExecutionResult) => vouchIsolation(result, await endpoint(), AbortSignal.timeout(30_000));

  it('reaches the canary neither by its Service nor by its address, and that is believed', async () => {
    const canary = await look();
    const result = await live.run({ script: HELLO, spec: { canary } });
    expect(result.classification).toMatchObject({ class: 'script' });
    const [begin] = parseEvidence(result.evidence ?? Buffer.alloc(0));
    expect(begin?.kind === 'begin' ? begin.isolation : []).toEqual(
      expect.arrayContaining(['network-denied', `canary=${canary.instance}`, 'gpu-check=skipped: no GPU asked for']),
    );
    expect(await vouch(result)).toBe(result);
  });

  it('does not run its script where nothing keeps it from the canary', async () => {
    await cluster().kubectl(['apply', '-f', '-'], JSON.stringify(OPEN));
    const { classification, evidence } = await live.run({ script: HELLO, spec: { canary: await look() } });
    expect([classification.class, evidence]).toEqual(['infra-isolation', null]);
    expect(classification.detail).toContain('can be reached');
  });

  it('is not believed where its network opened during the run', async () => {
    const { classification } = await live.run({
      script: WAITING,
      spec: { canary: await look() },
      meddle: () => cluster().kubectl(['apply', '-f', '-'], JSON.stringify(OPEN)),
    });
    expect(classification.class).toBe('infra-isolation');
  });

  it('is not believed where another canary answers afterwards', async () => {
    const result = await live.run({
      script: WAITING,
      spec: { canary: await look() },
      meddle: () => replaceCanary(cluster()),
    });
    expect(result.classification.class).toBe('script');
    const judged = await vouch(result);
    expect([judged.classification.class, judged.evidence]).toEqual(['infra-isolation', null]);
  });

  it('ends before its script on a node whose GPU is none', async () => {
    await offerGpu(cluster());
    const pool = { ...executionSpec().pool, tolerations: [], cpuMillis: 250, gpus: 1 };
    const { classification } = await live.run({ script: HELLO, spec: { pool } });
    expect(classification).toMatchObject({ class: 'infra-gpu', outcome: 'infra' });
    expect(classification.detail).toContain('library is not there');
  });
});

/** The canary's own address: that of its Service leads nowhere from this machine. */
async function canaryAddress({ kubectl }: Cluster): Promise<Endpoint> {
  const argv = ['-n', systemNamespace, 'get', 'pods', '-l', SELECTOR, '-o', 'jsonpath={.items[0].status.podIP}'];
  return { host: await kubectl(argv), port: CANARY_PORT };
}

/** What a worker in the cluster would tell a pod. */
async function canaryCheck(cluster: Cluster): Promise<CanaryCheck> {
  const found = await canaryNow(await canaryAddress(cluster), TEST_TIMINGS, AbortSignal.timeout(30_000));
  const host = await cluster.kubectl(['-n', systemNamespace, 'get', 'service', CANARY, '-o', 'jsonpath={.spec.clusterIP}']);
  return { instance: '', budgetSeconds: 5, ...found, targets: [{ host, port: CANARY_PORT }, ...(found?.targets ?? [])] };
}

async function replaceCanary({ kubectl }: Cluster): Promise<void> {
  await kubectl(['-n', systemNamespace, 'delete', 'pod', '-l', SELECTOR, '--wait=true']);
  await kubectl(['-n', systemNamespace, 'rollout', 'status', `deployment/${CANARY}`, '--timeout=60s']);
}

/** A GPU that the scheduler believes in. */
async function offerGpu(cluster: Cluster): Promise<void> {
  await cluster.bed('resource', 'node1', 'nvidia.com/gpu=1');
  const patch = JSON.stringify({ spec: { hard: { 'requests.nvidia.com/gpu': '1' } } });
  const { runNamespace } = INSTALLATION;
  await cluster.kubectl(['-n', runNamespace, 'patch', 'resourcequota', runNamespace, '--type=merge', '-p', patch]);
}

/** Runs the Deployment of the manifests with the image of the runs, whose interpreter lies in a claim. */
async function startCanary({ cluster, image }: LiveCluster): Promise<void> {
  await cluster.bed('volume', systemNamespace, CLAIM, '/usr');
  const container = { name: 'canary', image: image.image, volumeMounts: [{ name: 'usr', mountPath: '/usr', readOnly: true }] };
  const volumes = [{ name: 'usr', persistentVolumeClaim: { claimName: CLAIM, readOnly: true } }];
  const patch = { spec: { template: { spec: { containers: [container], volumes } } } };
  await cluster.kubectl(['-n', systemNamespace, 'patch', 'deployment', CANARY, '-p', JSON.stringify(patch)]);
  await cluster.kubectl(['-n', systemNamespace, 'rollout', 'status', `deployment/${CANARY}`, '--timeout=120s']);
}
