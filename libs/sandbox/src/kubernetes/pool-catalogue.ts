import { AppError } from '@reenact/domain';
import type { Launch, Pool } from '@reenact/domain';

/** What an execution asks of a pool; sizes are those of one pod. */
export interface PodDemand {
  pods: number;
  memoryBytes: number;
  diskBytes: number;
  gpus: number;
}

/** What an execution used, and what that costs by the prices of its pool. */
export interface ExecutionCost {
  cpuSeconds: number;
  gpuSeconds: number;
  usd: number;
}

/**
 * The pool for an execution: of those that can hold it the cheapest, of equals the first. The number of GPUs is met exactly, since a script
 * that sees a GPU, or more than it asked for, is another script.
 *
 * @throws AppError `config-invalid` where no pool can hold it, with what each lacks.
 */
export function choosePool(pools: readonly Pool[], demand: PodDemand): Pool {
  const pool = findPool(pools, demand);
  if (pool !== null) return pool;
  const reasons = pools.map((pool) => `${pool.name}: ${shortcomings(pool, demand).join(', ')}`);
  throw new AppError('config-invalid', `no pool of the cluster holds ${describe(demand)} (${reasons.join('; ')})`, {
    hint: 'add a pool to the cluster’s settings, or lower the limits of the launch',
  });
}

/** As `choosePool`; null where no pool can hold it. */
export function findPool(pools: readonly Pool[], demand: PodDemand): Pool | null {
  const fitting = pools.filter((pool) => shortcomings(pool, demand).length === 0);
  const [cheapest] = fitting.sort((one, other) => usdPerSecond(one) - usdPerSecond(other));
  return cheapest ?? null;
}

/**
 * Numbers of pods over which the ranks of every step spread evenly, the most first: a script that several processes run meets more of what
 * a network does on several nodes. A step of one rank runs on the first pod alone.
 */
export function podCounts({ steps }: Launch): number[] {
  const several = steps.map(({ ranks }) => ranks).filter((ranks) => ranks > 1);
  const most = several.length === 0 ? 1 : Math.min(...several);
  const counts = Array.from({ length: most }, (_, index) => most - index);
  return counts.filter((count) => several.every((ranks) => ranks % count === 0));
}

/** What the pods of one execution cost; `podSeconds` is the time that each of them ran. */
export function executionCost(pool: Pool, podSeconds: readonly number[]): ExecutionCost {
  const seconds = podSeconds.reduce((sum, one) => sum + one, 0);
  const cpuSeconds = (seconds * pool.cpuMillis) / 1000;
  const gpuSeconds = seconds * pool.gpus;
  return { cpuSeconds, gpuSeconds, usd: cpuSeconds * pool.cpuSecondUsd + gpuSeconds * pool.gpuSecondUsd };
}

function shortcomings(pool: Pool, demand: PodDemand): string[] {
  const checks: [boolean, string][] = [
    [pool.gpus === demand.gpus, `${pool.gpus} GPUs a pod`],
    [pool.mostPods >= demand.pods, `at most ${pool.mostPods} pods`],
    [pool.mostMemoryBytes >= demand.memoryBytes, `at most ${pool.mostMemoryBytes} bytes of memory`],
    [pool.mostDiskBytes >= demand.diskBytes, `at most ${pool.mostDiskBytes} bytes of disk`],
  ];
  return checks.filter(([holds]) => !holds).map(([, words]) => words);
}

/** Of one pod, since every pool would run as many. */
function usdPerSecond(pool: Pool): number {
  return executionCost(pool, [1]).usd;
}

function describe({ pods, memoryBytes, diskBytes, gpus }: PodDemand): string {
  return `${pods} pods with ${gpus} GPUs, ${memoryBytes} bytes of memory and ${diskBytes} bytes of disk each`;
}
