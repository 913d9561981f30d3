import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEvidence } from '../evidence-reader.js';
import { describeWithCluster } from './testing/cluster.js';
import { openLiveCluster } from './testing/live-executions.js';
import type { LiveCluster, LiveTrial } from './testing/live-executions.js';

/** Says that it runs and waits to be met by what the test does. */
const WAITING = 'import time\nprint("ready", flush=True)\ntime.sleep(300)\n';
/** The same for what the script survives. */
const PATIENT = 'import time\nprint("ready", flush=True)\ntime.sleep(12)\nprint("survived")\n';

describeWithCluster('the outcome of an execution', { nodes: 2 }, (cluster) => {
  let live: LiveCluster;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
  }, 300_000);
  afterAll(async () => {
    expect(await live.remains()).toEqual([]);
    live.close();
  }, 120_000);

  const control = (name: string, verb: string) => cluster().bed('control', name, verb);
  const inNode = (node: string, ...argv: string[]) => cluster().bed('node', node.replace('node', ''), ...argv);
  /** Signals the supervisor, the first process of a pod's container, from outside. */
  const signal = async ({ node, name }: { node: string; name: string }, kind: string) =>
    inNode(node, 'pkill', `-${kind}`, '-f', `^/usr/bin/python3 -I -S -B /opt/reenact/supervisor/pod.py`).then(() => name);

  describe('is the script’s own', () => {
    it.concurrent.each<[string, LiveTrial, object]>([
      ['a status', { script: 'raise SystemExit(7)' }, { code: 7, signal: null, endedBy: 'self' }],
      [
        'a signal',
        { script: 'import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)' },
        { code: null, signal: 'SIGSEGV', endedBy: 'self' },
      ],
      ['an exception', { script: 'raise ValueError("no")' }, { code: 1, signal: null, endedBy: 'self' }],
      ['the limit of time', { script: 'while True: pass', limits: { wallSeconds: 3 } }, { endedBy: 'wall-limit' }],
      [
        'the limit of memory',
        { script: 'import time\nheld = []\nwhile True:\n    held.append(bytearray(2 ** 22))\n    time.sleep(0.02)' },
        { endedBy: 'memory-limit' },
      ],
      [
        'memory that comes faster than it is looked at',
        { script: 'held = bytearray(b"x") * (900 * 2 ** 20)' },
        { endedBy: 'memory-limit' },
      ],
      [
        'the limit of disk',
        {
          script:
            'import time\nwith open("big", "wb") as file:\n    while True:\n        file.write(bytes(2 ** 20))\n        time.sleep(0.01)',
        },
        { endedBy: 'disk-limit' },
      ],
      [
        'a hang',
        {
          script: 'import threading\nthreading.Lock().acquire()\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()',
          launch: { silentSeconds: 3 },
        },
        { endedBy: 'hang' },
      ],
    ])('%s', async (_, trial, exit) => {
      const { classification, evidence } = await live.run(trial);
      expect(classification).toMatchObject({ class: 'script', outcome: 'finished' });
      const records = parseEvidence(evidence ?? Buffer.alloc(0));
      expect(records.filter(({ kind }) => kind === 'exit')).toMatchObject([exit]);
    });
  });

  describe('is the cluster’s', () => {
    it.concurrent.each<[string, string, LiveTrial]>([
      ['no node has room', 'capacity', { script: WAITING, spec: { pool: { ...POOL, cpuMillis: 100_000 } } }],
      ['no node of the pool', 'capacity', { script: WAITING, spec: { pool: { ...POOL, nodeSelector: { 'reenact.dev/pool': 'none' } } } }],
      ['an interpreter that is not there', 'harness', { script: WAITING, interpreter: '/usr/bin/python9' }],
      [
        'evidence that does not fit',
        'harness',
        { script: 'import os\nfor _ in range(9000):\n    print(os.urandom(400).hex())', limits: { outputBytes: 2 ** 24 } },
      ],
    ])('%s: %s', async (_, name, trial) => {
      expect((await live.run(trial)).classification).toMatchObject({ class: name, outcome: 'infra' });
    });

    it.each<[string, string, (running: { name: string; pod: string; node: string }) => Promise<unknown>]>([
      ['its pod deleted by hand', 'infra-stopped', ({ pod }) => live.kubectl('delete', 'pod', pod, '--wait=false')],
      ['its Job deleted by hand', 'infra-lost', ({ name }) => live.kubectl('delete', 'job', name, '--grace-period=0', '--force')],
      ['its Job suspended', 'infra-preempted', ({ name }) => live.kubectl('patch', 'job', name, '-p', '{"spec": {"suspend": true}}')],
      ['evicted through the API', 'infra-disrupted', ({ pod }) => evict(live, pod)],
      ['its node tainted', 'infra-disrupted', ({ node }) => live.kubectl('taint', 'node', node, 'out=of:NoExecute')],
      ['its supervisor killed', 'infra-sigkill-unknown', (running) => signal(running, 'KILL')],
      ['its supervisor frozen', 'supervisor-lost', (running) => signal(running, 'STOP')],
      [
        'its deadline passed',
        'infra-stopped',
        ({ name }) => live.kubectl('patch', 'job', name, '-p', '{"spec": {"activeDeadlineSeconds": 1}}'),
      ],
    ])('%s: %s', async (_, name, meddle) => {
      try {
        expect((await live.run({ script: WAITING, meddle, limits: { wallSeconds: 10 } })).classification).toMatchObject({
          class: name,
          outcome: 'infra',
        });
      } finally {
        await live.kubectl('taint', 'nodes', '--all', 'out-').catch(() => undefined);
      }
    });
  });

  describe('survives', () => {
    it.each<[string, (running: { node: string }) => Promise<unknown>]>([
      ['an API server that ends and comes back', () => control('apiserver', 'kill').then(() => control('apiserver', 'start'))],
      ['controllers that end', () => control('controllers', 'stop').then(() => control('controllers', 'start'))],
      ['a kubelet that is killed and comes back', ({ node }) => kubelet(node, 'kill').then(() => kubelet(node, 'start'))],
    ])('%s', async (_, meddle) => {
      const { classification, evidence } = await live.run({ script: PATIENT, meddle });
      expect(classification).toMatchObject({ class: 'script' });
      expect(Buffer.from(evidence ?? []).includes('survived')).toBe(true);
    });
    const kubelet = (node: string, verb: string) => cluster().bed('kubelet', node.replace('node', ''), verb);
  });
});

const POOL = {
  name: 'cpu',
  nodeSelector: {},
  tolerations: [],
  runtimeClass: null,
  priorityClass: null,
  queue: null,
  cpuMillis: 250,
  gpus: 0,
};

async function evict(live: LiveCluster, pod: string): Promise<unknown> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'reenact-runs' } };
  return await live.cluster.kubectl(
    ['create', '--raw', `/api/v1/namespaces/reenact-runs/pods/${pod}/eviction`, '-f', '-'],
    JSON.stringify(eviction),
  );
}
