import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Launch, Pool, PoolCatalogue } from '@reenact/domain/schemas';
import { choosePool, executionCost, podCounts } from './pool-catalogue.js';
import type { PodDemand } from './pool-catalogue.js';

const GIBIBYTE = 1024 ** 3;
const pool = (parts: object = {}) => Pool.parse({ name: 'cpu', mostMemoryBytes: 16 * GIBIBYTE, ...parts });
const demand = (parts: Partial<PodDemand> = {}): PodDemand => ({ pods: 1, memoryBytes: GIBIBYTE, diskBytes: GIBIBYTE, gpus: 0, ...parts });

const POOLS = [
  pool({ cpuSecondUsd: 0.00002 }),
  pool({ name: 'cpu-large', mostMemoryBytes: 256 * GIBIBYTE, cpuMillis: 16_000, cpuSecondUsd: 0.00002 }),
  pool({ name: 'cpu-many', mostPods: 8, cpuSecondUsd: 0.00004 }),
  pool({ name: 'gpu-1', gpus: 1, mostMemoryBytes: 64 * GIBIBYTE, gpuSecondUsd: 0.0005 }),
  pool({ name: 'gpu-8', gpus: 8, mostMemoryBytes: 900 * GIBIBYTE, gpuSecondUsd: 0.001 }),
  pool({ name: 'gpu-8-many', gpus: 8, mostPods: 16, mostMemoryBytes: 900 * GIBIBYTE, gpuSecondUsd: 0.0012 }),
];

describe('choice of a pool', () => {
  it.each<[string, Partial<PodDemand>]>([
    ['cpu', {}],
    ['cpu-large', { memoryBytes: 17 * GIBIBYTE }],
    ['cpu-many', { pods: 2 }],
    ['gpu-1', { gpus: 1 }],
    ['gpu-8', { gpus: 8 }],
    ['gpu-8-many', { gpus: 8, pods: 2 }],
  ])('is %s for %j', (name, parts) => {
    expect(choosePool(POOLS, demand(parts)).name).toBe(name);
  });

  it('is the first of equals', () => {
    expect(choosePool([pool({ name: 'a' }), pool({ name: 'b' })], demand()).name).toBe('a');
  });

  it.each<[string, Partial<PodDemand>]>([
    ['2 GPUs', { gpus: 2 }],
    ['too many pods', { pods: 9 }],
    ['too much memory', { memoryBytes: 300 * GIBIBYTE }],
    ['too much disk', { diskBytes: 2 ** 50 }],
  ])('is refused for %s, with what each pool lacks', (_, parts) => {
    expect(() => choosePool(POOLS, demand(parts))).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining('gpu-8-many: ') as string }),
    );
  });

  it('always holds what was asked for, and none that holds it is cheaper', () => {
    const anyPool = fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      gpus: fc.nat(2),
      mostPods: fc.integer({ min: 1, max: 4 }),
      mostMemoryBytes: fc.integer({ min: 1, max: 8 }),
      mostDiskBytes: fc.integer({ min: 1, max: 8 }),
      cpuSecondUsd: fc.nat(5),
    });
    const anyDemand = fc.record({
      pods: fc.integer({ min: 1, max: 4 }),
      memoryBytes: fc.integer({ min: 1, max: 8 }),
      diskBytes: fc.integer({ min: 1, max: 8 }),
      gpus: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(anyPool, { minLength: 1, maxLength: 6 }), anyDemand, (drafts, asked) => {
        const pools = drafts.map((draft) => pool(draft));
        const holds = (one: Pool) =>
          one.gpus === asked.gpus &&
          one.mostPods >= asked.pods &&
          one.mostMemoryBytes >= asked.memoryBytes &&
          one.mostDiskBytes >= asked.diskBytes;
        const able = pools.filter(holds);
        if (able.length === 0) expect(() => choosePool(pools, asked)).toThrow('no pool');
        else {
          const chosen = choosePool(pools, asked);
          expect(holds(chosen)).toBe(true);
          expect(Math.min(...able.map(({ cpuSecondUsd }) => cpuSecondUsd))).toBe(chosen.cpuSecondUsd);
        }
      }),
    );
  });
});

describe('cost', () => {
  it('counts every CPU and GPU of every pod', () => {
    const gpu = pool({ gpus: 8, cpuMillis: 96_000, cpuSecondUsd: 0.00001, gpuSecondUsd: 0.001 });
    const { cpuSeconds, gpuSeconds, usd } = executionCost(gpu, [100, 50]);
    expect([cpuSeconds, gpuSeconds]).toEqual([14_400, 1_200]);
    expect(usd).toBeCloseTo(0.144 + 1.2, 9);
    expect(executionCost(pool(), [])).toEqual({ cpuSeconds: 0, gpuSeconds: 0, usd: 0 });
  });
});

describe('catalogue', () => {
  it.each<[string, object[]]>([
    ['no pool', []],
    ['one name twice', [{ name: 'a' }, { name: 'a' }]],
    ['a product without GPUs', [{ name: 'a', gpuProduct: 'NVIDIA-H100' }]],
    ['a price of GPUs without GPUs', [{ name: 'a', gpuSecondUsd: 1 }]],
    ['a field that nobody knows', [{ name: 'a', nodeselector: {} }]],
    ['no size', [{ name: 'a', mostMemoryBytes: 0 }]],
    ['a price below nothing', [{ name: 'a', cpuSecondUsd: -1 }]],
  ])('is refused with %s', (_, pools) => {
    expect(PoolCatalogue.safeParse(pools.map((one) => ({ mostMemoryBytes: 1, ...one }))).success).toBe(false);
  });
});

describe('numbers of pods', () => {
  const counts = (...ranks: number[]) =>
    podCounts(Launch.parse({ schemaVersion: 1, steps: ranks.map((count) => ({ argv: ['x'], ranks: count })) }));
  it.each([
    [[1], [1]],
    [[4], [4, 2, 1]],
    [
      [1, 6, 4],
      [2, 1],
    ],
    [[2, 3], [1]],
  ])('for steps of %j ranks are %j', (ranks, expected) => {
    expect(counts(...ranks)).toEqual(expected);
  });
});
