import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pool } from '@reenact/domain/schemas';
import { poolCapacity, poolProblems } from './pool-capacity.js';
import type { ListedNode, ListedPod } from './pool-capacity.js';
import type { PodDemand } from './pool-catalogue.js';

const GIBIBYTE = 1024 ** 3;
const POOL = Pool.parse({
  name: 'gpu',
  mostMemoryBytes: 2 ** 50,
  nodeSelector: { 'reenact.dev/pool': 'gpu' },
  tolerations: [
    { key: 'reenact.dev/untrusted', value: 'true' },
    { key: 'nvidia.com/gpu', value: null },
  ],
  cpuMillis: 2000,
  gpus: 1,
});
const DEMAND: PodDemand = { pods: 1, memoryBytes: 4 * GIBIBYTE, diskBytes: GIBIBYTE, gpus: 1 };

interface NodeParts {
  name?: string;
  cpu?: string;
  gpus?: number;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: string }[];
  unschedulable?: boolean;
  ready?: string;
}

function node(parts: NodeParts = {}): ListedNode {
  const { name = 'n1', cpu = '8', gpus = 4, labels = {}, taints, unschedulable, ready = 'True' } = parts;
  return {
    metadata: { name, labels: { 'reenact.dev/pool': 'gpu', ...labels } },
    spec: { ...(taints === undefined ? {} : { taints }), ...(unschedulable === undefined ? {} : { unschedulable }) },
    status: {
      allocatable: { cpu, memory: '64Gi', 'ephemeral-storage': '100Gi', 'nvidia.com/gpu': String(gpus), pods: '110' },
      conditions: [{ type: 'Ready', status: ready }],
    },
  };
}

function pod(
  nodeName: string | undefined,
  requests: Record<string, string>,
  parts: Partial<NonNullable<ListedPod['spec']>> = {},
): ListedPod {
  const at = nodeName === undefined ? {} : { nodeName };
  return { spec: { ...at, containers: [{ resources: { requests } }], ...parts }, status: { phase: 'Running' } };
}

const room = (nodes: ListedNode[], pods: ListedPod[] = [], parts: { demand?: Partial<PodDemand>; pool?: Partial<Pool> } = {}) =>
  poolCapacity({ ...POOL, ...parts.pool }, { ...DEMAND, ...parts.demand }, { nodes, pods });

describe('room in a pool', () => {
  it('is bounded by what is scarcest', () => {
    expect(room([node()])).toEqual({ fits: true, roomNow: 4, roomAtMost: 4 });
    expect(room([node({ cpu: '5900m' })]).roomNow).toBe(2);
    expect(room([node({ gpus: 1 }), node({ name: 'n2', gpus: 2 })]).roomNow).toBe(3);
    expect(room([node()], [], { demand: { memoryBytes: 33 * GIBIBYTE } }).roomNow).toBe(1);
    expect(room([node()], [], { demand: { diskBytes: 60 * GIBIBYTE } }).roomNow).toBe(1);
  });

  it('is all or nothing', () => {
    const nodes = [node({ gpus: 2 }), node({ name: 'n2', gpus: 1 })];
    expect(room(nodes, [], { demand: { pods: 3 } }).fits).toBe(true);
    expect(room(nodes, [], { demand: { pods: 4 } })).toEqual({ fits: false, roomNow: 3, roomAtMost: 3 });
  });

  it.each<[string, NodeParts]>([
    ['is not ready', { ready: 'Unknown' }],
    ['is closed', { unschedulable: true }],
    ['belongs to another pool', { labels: { 'reenact.dev/pool': 'cpu' } }],
    ['has a taint', { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] }],
    ['has a taint with another value', { taints: [{ key: 'reenact.dev/untrusted', value: 'maybe', effect: 'NoSchedule' }] }],
    ['throws pods out', { taints: [{ key: 'nvidia.com/gpu', effect: 'NoExecute' }] }],
  ])('has no node that %s', (_, parts) => {
    expect(room([node(parts)]).roomAtMost).toBe(0);
  });

  it('has nodes whose taints the pool tolerates or that only ask', () => {
    const taints = [
      { key: 'reenact.dev/untrusted', value: 'true', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
      { key: 'other', effect: 'PreferNoSchedule' },
    ];
    expect(room([node({ taints })]).fits).toBe(true);
  });

  it('has only nodes with the product that the pool names', () => {
    const pool = { gpuProduct: 'NVIDIA-H100' };
    expect(room([node()], [], { pool }).roomAtMost).toBe(0);
    expect(room([node({ labels: { 'nvidia.com/gpu.product': 'NVIDIA-H100' } })], [], { pool }).roomAtMost).toBe(4);
  });

  it('is less by what runs and by what the pool reserves, and not by what has ended', () => {
    const taken = pod('n1', { cpu: '1', 'nvidia.com/gpu': '3' });
    expect(room([node()], [taken])).toEqual({ fits: true, roomNow: 1, roomAtMost: 4 });
    expect(room([node()], [{ ...taken, status: { phase: 'Succeeded' } }]).roomNow).toBe(4);
    expect(room([node()], [{ ...taken, status: { phase: 'Failed' } }]).roomNow).toBe(4);
    expect(room([node()], [pod('elsewhere', { 'nvidia.com/gpu': '3' })]).roomNow).toBe(4);
    const reserved = { cpuMillis: 500, memoryBytes: 0, diskBytes: 0, pods: 0 };
    expect(room([node()], [], { pool: { reserved } }).roomNow).toBe(3);
    expect(room([node()], [], { pool: { reserved: { ...reserved, pods: 109 } } }).roomNow).toBe(1);
  });

  it('counts a pod by its containers together, its largest first step and its overhead', () => {
    const cpus = (cpu: string) => ({ resources: { requests: { cpu } } });
    const spec = { containers: [cpus('1'), cpus('1')], overhead: { cpu: '500m' } };
    expect(room([node()], [pod('n1', {}, spec)]).roomNow).toBe(2);
    expect(room([node()], [pod('n1', {}, { ...spec, initContainers: [cpus('7')] })]).roomNow).toBe(0);
    expect(room([node()], [pod('n1', {}, { ...spec, initContainers: [{ ...cpus('2'), restartPolicy: 'Always' }] })]).roomNow).toBe(1);
  });

  it('comes after pods that wait, and is none while one of those has no place', () => {
    const waiting = pod(undefined, { 'nvidia.com/gpu': '2' }, { nodeSelector: { 'reenact.dev/pool': 'gpu' } });
    expect(room([node()], [waiting]).roomNow).toBe(2);
    expect(room([node()], [waiting, waiting, waiting])).toEqual({ fits: false, roomNow: 0, roomAtMost: 4 });
    const other = pod(undefined, { 'nvidia.com/gpu': '9' }, { nodeSelector: { 'reenact.dev/pool': 'cpu' } });
    expect(room([node()], [other]).roomNow).toBe(4);
  });

  it('is none where a node says what nobody can read', () => {
    expect(room([node({ cpu: 'lots' })]).roomAtMost).toBe(0);
    expect(room([{ metadata: { name: 'n' } }]).roomAtMost).toBe(0);
  });
});

describe('room, for any nodes and pods', () => {
  const anyNode = fc.record({ cpu: fc.nat(16).map(String), gpus: fc.nat(8), ready: fc.constantFrom('True', 'False') });
  const anyNodes = fc.array(anyNode, { maxLength: 5 }).map((list) => list.map((parts, index) => node({ ...parts, name: `n${index}` })));
  const anyPods = fc.array(
    fc
      .tuple(fc.constantFrom('n0', 'n1', 'n2', undefined), fc.nat(4), fc.nat(3))
      .map(([at, cpu, gpus]) => pod(at, { cpu: String(cpu), 'nvidia.com/gpu': String(gpus) })),
    { maxLength: 5 },
  );
  const anyPodsCount = fc.integer({ min: 1, max: 12 });

  it('a pool that has room takes the pods one after the other, and one that has none does not', () => {
    fc.assert(
      fc.property(anyNodes, anyPods, anyPodsCount, (nodes, all, pods) => {
        const bound = all.filter(({ spec }) => spec?.nodeName !== undefined);
        const placed: ListedPod[] = [];
        for (let count = 0; count < pods; count++) {
          const target = nodes.find((one) => room([one], [...bound, ...placed]).fits);
          if (target === undefined) break;
          placed.push(pod(target.metadata.name, { cpu: '2', memory: '4Gi', 'ephemeral-storage': '1Gi', 'nvidia.com/gpu': '1' }));
        }
        expect(room(nodes, bound, { demand: { pods } }).fits).toBe(placed.length === pods);
      }),
    );
  });

  it('one more node never takes room, one more pod never gives any', () => {
    fc.assert(
      fc.property(anyNodes, anyPods, (nodes, pods) => {
        const bound = pods.filter(({ spec }) => spec?.nodeName !== undefined);
        const { roomNow, roomAtMost } = room(nodes, bound);
        expect(roomNow).toBeLessThanOrEqual(roomAtMost);
        expect(room([...nodes, node({ name: 'more' })], bound).roomNow).toBeGreaterThanOrEqual(roomNow);
        for (const at of ['n0', 'n1', undefined])
          expect(room(nodes, [...bound, pod(at, { cpu: '1' })]).roomNow).toBeLessThanOrEqual(roomNow);
      }),
    );
  });
});

describe('problems of a pool', () => {
  it('are named with the node', () => {
    expect(poolProblems(POOL, [node()])).toEqual([]);
    expect(poolProblems(POOL, [])).toEqual([expect.stringContaining('no node has the labels of pool gpu')]);
    const product = { ...POOL, gpuProduct: 'NVIDIA-H100' };
    const bad = node({ gpus: 0, taints: [{ key: 'x', effect: 'NoSchedule' }] });
    expect(poolProblems(product, [bad])).toEqual([
      'node n1 has taints that the pool does not tolerate',
      'node n1 has no GPU product',
      'node n1 has 0 GPUs, and a pod takes 1',
    ]);
  });
});
