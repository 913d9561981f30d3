import { execFile } from 'node:child_process';
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithCluster } from './testing/cluster.js';
import { openLiveCluster, REGISTRY_REPOSITORY } from './testing/live-executions.js';
import type { LiveCluster, LiveTrial } from './testing/live-executions.js';
import { INSTALLATION } from './installation.js';

const WAITING = 'import time\nprint("ready", flush=True)\ntime.sleep(300)\n';
/** Nothing listens to heartbeats of a pod that never ran, so there is no need to wait long for it. */
const LIMITS = { wallSeconds: 30 };
const GIBIBYTE = 1024 ** 3;
const PLACE = { nodeSelector: {}, tolerations: [], runtimeClass: null, priorityClass: null, queue: null, name: 'cpu', gpus: 0 };

describeWithCluster('an execution whose', { nodes: 2 }, (cluster) => {
  let live: LiveCluster;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
  }, 300_000);
  afterAll(() => live.close());
  afterEach(async () => {
    expect(await live.remains()).toEqual([]);
  }, 200_000);

  const numberOf = (node: string) => node.replace('node', '');
  const bed = (...argv: string[]) => cluster().bed(...argv);
  const classOf = async (trial: Omit<LiveTrial, 'script'>) =>
    (await live.run({ script: WAITING, limits: LIMITS, ...trial })).classification.class;

  describe('node', () => {
    it('crashes is repeated', async () => {
      let node = '';
      expect(await classOf({ meddle: (running) => bed('node', (node = numberOf(running.node)), 'crash') })).toBe('infra-disrupted');
      await bed('node', node, 'up');
    });

    it('is cut off is repeated', async () => {
      let node = '';
      expect(await classOf({ meddle: (running) => bed('node', (node = numberOf(running.node)), 'partition') })).toBe('infra-disrupted');
      await bed('node', node, 'heal');
    });

    it('has too little disk is repeated', async () => {
      const { directory } = cluster();
      const { bavail, bsize } = await statfs(directory);
      const threshold = `evictionHard.nodefs.available=${Math.floor((bavail * bsize) / GIBIBYTE) - 2}Gi`;
      for (const node of ['1', '2']) await bed('kubelet', node, 'set', threshold);
      const large = path.join(directory, 'large');
      const found = await classOf({ meddle: () => promisify(execFile)('fallocate', ['-l', String(4 * GIBIBYTE), large]) });
      await rm(large);
      for (const node of ['1', '2']) await bed('kubelet', node, 'set');
      await live.kubectl('wait', '--for=condition=DiskPressure=false', 'nodes', '--all', '--timeout=60s');
      expect(found).toBe('infra-node-pressure');
    });

    it('loses its runtime is repeated', async () => {
      const meddle = ({ node }: { node: string }) => bed('node', numberOf(node), 'pkill', '-KILL', 'containerd-shim');
      expect(await classOf({ meddle })).toMatch(/^infra-(?:unknown|sigkill-unknown)$/);
    });

    it('is wanted by something of a higher priority is repeated', async () => {
      const pod = 'greedy';
      const found = await classOf({ spec: { pool: { ...PLACE, cpuMillis: 1_500 } }, meddle: () => preempt(live, pod) });
      await live.cluster.kubectl(['-n', 'kube-system', 'delete', 'pods', '-l', `app=${pod}`, '--grace-period=0', '--force']);
      expect(found).toBe('infra-disrupted');
    });
  });

  describe('pod cannot be made:', () => {
    it('no account', async () => {
      await live.kubectl('delete', 'serviceaccount', INSTALLATION.runAccount);
      const found = await classOf({});
      await live.install();
      expect(found).toBe('config');
    });

    it.each([
      ['no room for pods', { pods: '0' }],
      ['no room for Jobs', { 'count/jobs.batch': '0' }],
    ])('%s', async (_, hard) => {
      const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none', namespace: INSTALLATION.runNamespace } };
      await live.cluster.kubectl(['apply', '-f', '-'], JSON.stringify({ ...quota, spec: { hard } }));
      await live.kubectl('wait', '--for=jsonpath={.status.hard}', 'resourcequota/none', '--timeout=30s');
      const found = await classOf({});
      await live.kubectl('delete', 'resourcequota', 'none');
      expect(found).toBe('capacity');
    });

    it('no controllers', async () => {
      await bed('control', 'controllers', 'stop');
      const found = await classOf({});
      await bed('control', 'controllers', 'start');
      expect(found).toBe('infra-control-plane');
    });
  });

  describe('image', () => {
    it.each([
      ['404', 'config'],
      ['429', 'infra-image'],
    ])('is answered with %s: %s', async (answer, name) => {
      await bed('registry', 'answer', answer);
      const image = { ...live.image, image: `${REGISTRY_REPOSITORY}@sha256:${'ab'.repeat(32)}` };
      const found = await classOf({ spec: { image } });
      await bed('registry', 'answer', 'ok');
      expect(found).toBe(name);
    });
  });
});

/** Two pods that nothing may take from, one on each node, with nearly all of its processors. */
async function preempt(live: LiveCluster, name: string): Promise<unknown> {
  const resources = { requests: { cpu: '1600m' } };
  const spec = {
    priorityClassName: 'system-node-critical',
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: name } },
      },
    ],
    containers: [{ name: 'greedy', image: live.image.image, command: ['/bin/true'], resources }],
  };
  const items = [1, 2].map((number) => ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: `${name}-${number}`, namespace: 'kube-system', labels: { app: name } },
    spec,
  }));
  return live.cluster.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}
