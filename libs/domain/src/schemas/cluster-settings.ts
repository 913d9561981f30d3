import { z } from 'zod';
import { DIGEST_REFERENCE, DNS_LABEL } from './cluster-names.js';
import { PoolCatalogue } from './pool-catalogue.js';

const dnsLabel = z.string().regex(DNS_LABEL, 'a DNS label');
const absolute = z.string().startsWith('/', 'an absolute path');

/** An image that holds an interpreter with its packages at the same absolute path as on the machine that asks for it. */
export const RunImage = z.strictObject({
  interpreter: absolute,
  image: z.string().regex(DIGEST_REFERENCE, 'repository@sha256:digest'),
  /** Interpreter of the supervisor in the image, Python ≥ 3.8. */
  supervisorPython: absolute.default('/usr/bin/python3'),
  /** What is too large for an image: read-only claims in the namespace of the executions, prepared by somebody who is trusted. */
  volumes: z
    .array(z.strictObject({ claim: dnsLabel, mountPath: absolute }))
    .max(16)
    .default([]),
});
export type RunImage = z.infer<typeof RunImage>;

/** How executions run in one cluster: the file that KUBERNETES_SETTINGS names. */
export const ClusterSettings = z.strictObject({
  namespace: dnsLabel.default('reenact-runs'),
  serviceAccount: dnsLabel.default('reenact-run'),
  clusterDomain: z
    .string()
    .regex(/^[a-z0-9.-]{1,200}$/, 'a domain')
    .default('cluster.local'),
  /** Durations: those of production, or short ones for tests. */
  timings: z.enum(['production', 'test']).default('production'),
  /** Trials that one worker has under way at once; they run in the cluster, so its own cores are no measure. */
  concurrency: z.int().min(1).max(1_000).default(64),
  images: z.array(RunImage).min(1),
  /** The listener of `k8s/base/system`, which pods must not reach; null = no isolation is proven. */
  canary: z
    .strictObject({ host: z.string().min(1).max(253), port: z.int().min(1).max(65_535).default(29_377) })
    .nullable()
    .default(null),
  pools: PoolCatalogue,
});
export type ClusterSettings = z.infer<typeof ClusterSettings>;
