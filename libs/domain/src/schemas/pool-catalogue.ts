import { z } from 'zod';
import { DNS_LABEL, LABEL_VALUE } from './cluster-names.js';

const dnsLabel = z.string().regex(DNS_LABEL, 'a DNS label');
const label = z.string().regex(LABEL_VALUE, 'a label value');
const usd = z.number().min(0).default(0);

/** Which nodes executions run on, and how. */
export const PoolPlacement = z.strictObject({
  name: label,
  nodeSelector: z.record(z.string(), z.string()).default({}),
  /** A value of null tolerates every value of the key. */
  tolerations: z.array(z.strictObject({ key: z.string(), value: z.string().nullable() })).default([]),
  runtimeClass: dnsLabel.nullable().default(null),
  priorityClass: dnsLabel.nullable().default(null),
  /** Name of the queue that admits executions; null = the cluster has none, and a Job begins at once. */
  queue: dnsLabel.nullable().default(null),
  /** Millicores of one pod. */
  cpuMillis: z.int().min(100).default(1000),
  gpus: z.int().min(0).default(0),
});
export type PoolPlacement = z.infer<typeof PoolPlacement>;

/** A class of nodes with what its pods may take and what they cost. Every pod of it gets the same CPUs and GPUs. */
export const Pool = PoolPlacement.extend({
  /** Most pods of one execution: 1 for classes of single nodes. */
  mostPods: z.int().min(1).max(64).default(1),
  /** Most memory of one pod, in bytes. */
  mostMemoryBytes: z.int().min(1),
  /** Most disk of one pod, in bytes. */
  mostDiskBytes: z
    .int()
    .min(1)
    .default(128 * 1024 ** 3),
  /** What nodes of this pool say under `nvidia.com/gpu.product`; null = it is not looked at. */
  gpuProduct: z.string().min(1).max(63).nullable().default(null),
  /** USD for one CPU and one GPU for a second. */
  cpuSecondUsd: usd,
  gpuSecondUsd: usd,
  /** Of each node, for what the executor does not see: pods of other namespaces, such as those of every node. */
  reserved: z
    .strictObject({
      cpuMillis: z.int().min(0).default(0),
      memoryBytes: z.int().min(0).default(0),
      diskBytes: z.int().min(0).default(0),
      pods: z.int().min(0).default(0),
    })
    .prefault({}),
}).superRefine((pool, context) => {
  if (pool.gpuProduct !== null && pool.gpus === 0)
    context.addIssue({ code: 'custom', path: ['gpuProduct'], message: 'a product only where pods get GPUs' });
  if (pool.gpuSecondUsd > 0 && pool.gpus === 0)
    context.addIssue({ code: 'custom', path: ['gpuSecondUsd'], message: 'a price of GPUs only where pods get some' });
});
export type Pool = z.infer<typeof Pool>;

/** The pools of a cluster. Of two that serve alike the cheaper is taken, then the first. */
export const PoolCatalogue = z
  .array(Pool)
  .min(1)
  .max(64)
  .superRefine((pools, context) => {
    const names = pools.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index)
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'a name that no other pool has' });
    });
  });
export type PoolCatalogue = z.infer<typeof PoolCatalogue>;
