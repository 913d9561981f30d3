import type { Pool } from '@reenact/domain';
import type { PodDemand } from './pool-catalogue.js';
import { hasEnded } from './pod-status.js';
import { parseQuantity } from './quantity.js';

/** The part of a node that room is read from, as the API server sends it. */
export interface ListedNode {
  metadata: { name: string; labels?: Record<string, string> };
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  status?: { allocatable?: Record<string, string>; conditions?: { type: string; status: string }[] };
}

type Requests = { resources?: { requests?: Record<string, string> } };

/** The part of a pod that takes room. */
export interface ListedPod {
  spec?: {
    nodeName?: string;
    nodeSelector?: Record<string, string>;
    containers?: Requests[];
    initContainers?: (Requests & { restartPolicy?: string })[];
    overhead?: Record<string, string>;
  };
  status?: { phase?: string };
}

/** Whether all pods of an execution have room at this moment. */
export interface CapacityAnswer {
  fits: boolean;
  /** Pods that have room now, and how many would have on nodes without any other. */
  roomNow: number;
  roomAtMost: number;
}

const DIMENSIONS = ['cpu', 'memory', 'ephemeral-storage', 'nvidia.com/gpu', 'pods'] as const;
type Amounts = Record<(typeof DIMENSIONS)[number], number>;

/**
 * Whether a pool has room for all pods of an execution now: all or nothing, so that two executions of several pods do not each hold half
 * of what both need. Pods that wait for a node come first. It is a look before the creation and no reservation: what the scheduler then
 * cannot place runs out of its own clock.
 *
 * @param nodes all nodes of the cluster, @param pods those that the executor sees; for others the pool reserves a part of each node.
 */
export function poolCapacity(pool: Pool, demand: PodDemand, { nodes, pods }: { nodes: ListedNode[]; pods: ListedPod[] }): CapacityAnswer {
  const wanted = amountsOf(pool, demand);
  const eligible = nodes.filter((node) => isEligible(pool, node));
  const empty = new Map(eligible.map((node) => [node.metadata.name, allocatableOf(pool, node)]));
  const count = (rooms: Iterable<Amounts>): number => [...rooms].reduce((sum, room) => sum + howMany(room, wanted), 0);
  const roomAtMost = count(empty.values());
  const free = new Map([...empty].map(([name, amounts]) => [name, { ...amounts }]));
  const living = pods.filter(({ status }) => !hasEnded(status ?? null));
  for (const pod of living) {
    const room = free.get(pod.spec?.nodeName ?? '');
    if (room !== undefined) take(room, requestsOf(pod));
  }
  const waiting = living.filter((pod) => pod.spec?.nodeName === undefined && isOfPool(pool, pod)).map(requestsOf);
  const allPlaced = placeFirst(waiting, [...free.values()]);
  const roomNow = allPlaced ? count(free.values()) : 0;
  return { fits: roomNow >= demand.pods, roomNow, roomAtMost };
}

/** What speaks against a pool by the nodes that there are: for people, when the executor starts. */
export function poolProblems(pool: Pool, nodes: readonly ListedNode[]): string[] {
  const own = nodes.filter((node) => isSelected(pool.nodeSelector, node));
  if (own.length === 0) return [`no node has the labels of pool ${pool.name}; one that grows from nothing may have none yet`];
  return own.flatMap((node) => {
    const { name, labels = {} } = node.metadata;
    const product = labels['nvidia.com/gpu.product'];
    const gpus = allocatableOf(pool, node)['nvidia.com/gpu'];
    return [
      ...(untolerated(pool, node).length > 0 ? [`node ${name} has taints that the pool does not tolerate`] : []),
      ...(pool.gpuProduct !== null && product !== pool.gpuProduct ? [`node ${name} has ${product ?? 'no'} GPU product`] : []),
      ...(gpus < pool.gpus ? [`node ${name} has ${gpus} GPUs, and a pod takes ${pool.gpus}`] : []),
    ];
  });
}

function amountsOf(pool: Pool, { memoryBytes, diskBytes, gpus }: PodDemand): Amounts {
  return { cpu: pool.cpuMillis / 1000, memory: memoryBytes, 'ephemeral-storage': diskBytes, 'nvidia.com/gpu': gpus, pods: 1 };
}

function isEligible(pool: Pool, node: ListedNode): boolean {
  const isReady = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  const hasProduct = pool.gpuProduct === null || node.metadata.labels?.['nvidia.com/gpu.product'] === pool.gpuProduct;
  return (
    isReady &&
    node.spec?.unschedulable !== true &&
    hasProduct &&
    isSelected(pool.nodeSelector, node) &&
    untolerated(pool, node).length === 0
  );
}

function isSelected(selector: Record<string, string>, { metadata }: ListedNode): boolean {
  return Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value);
}

/** Run pods tolerate taints of the effect NoSchedule only (`run-job.ts`). */
function untolerated(pool: Pool, { spec }: ListedNode): { key: string }[] {
  return (spec?.taints ?? []).filter(({ key, value, effect }) => {
    if (effect === 'PreferNoSchedule') return false;
    const isTolerated = pool.tolerations.some((one) => one.key === key && (one.value === null || one.value === (value ?? '')));
    return effect !== 'NoSchedule' || !isTolerated;
  });
}

function isOfPool(pool: Pool, { spec }: ListedPod): boolean {
  const wanted = Object.entries(pool.nodeSelector);
  return wanted.every(([key, value]) => spec?.nodeSelector?.[key] === undefined || spec.nodeSelector[key] === value);
}

function allocatableOf({ reserved }: Pool, { status }: ListedNode): Amounts {
  const amounts = read(status?.allocatable);
  const kept = {
    cpu: reserved.cpuMillis / 1000,
    memory: reserved.memoryBytes,
    'ephemeral-storage': reserved.diskBytes,
    pods: reserved.pods,
  };
  take(amounts, { ...kept, 'nvidia.com/gpu': 0 });
  return amounts;
}

/** What a pod asks of its node: its containers together or its largest first step, whichever is more (Kubernetes documentation, "Init Containers"). */
function requestsOf({ spec }: ListedPod): Amounts {
  const first = spec?.initContainers ?? [];
  const sum = read(spec?.overhead);
  const beside = first.filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const { resources } of [...(spec?.containers ?? []), ...beside]) take(sum, read(resources?.requests), -1);
  for (const { resources } of first) {
    const step = read(resources?.requests);
    for (const key of DIMENSIONS) sum[key] = Math.max(sum[key], step[key]);
  }
  return { ...sum, pods: 1 };
}

/** What cannot be read counts as nothing: of a node that is no room. */
function read(quantities: Record<string, string> | undefined): Amounts {
  const amount = (key: string): number => {
    const value = parseQuantity(quantities?.[key] ?? '0');
    return Number.isFinite(value) ? value : 0;
  };
  return Object.fromEntries(DIMENSIONS.map((key) => [key, amount(key)])) as Amounts;
}

function take(room: Amounts, amounts: Amounts, sign: 1 | -1 = 1): void {
  for (const key of DIMENSIONS) room[key] -= sign * amounts[key];
}

/** Rounding of sums of parts of a CPU must not cost a pod. */
const TOLERANCE = 1e-9;

function howMany(room: Amounts, wanted: Amounts): number {
  const counts = DIMENSIONS.map((key) => (wanted[key] === 0 ? Number.POSITIVE_INFINITY : Math.floor(room[key] / wanted[key] + TOLERANCE)));
  return Math.max(0, Math.min(...counts));
}

/** Places pods one after the other, the largest first, each where it fits; whether all have a place. */
function placeFirst(waiting: readonly Amounts[], rooms: readonly Amounts[]): boolean {
  const bySize = [...waiting].sort(
    (one, other) => other['nvidia.com/gpu'] - one['nvidia.com/gpu'] || other.memory - one.memory || other.cpu - one.cpu,
  );
  return bySize.every((amounts) => {
    const room = rooms.find((one) => howMany(one, amounts) > 0);
    if (room !== undefined) take(room, amounts);
    return room !== undefined;
  });
}
