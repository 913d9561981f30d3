import { z } from 'zod';
import { ContentRef } from './common.js';
import { Lever } from './lever.js';

/**
 * Which arm of the experiment a trial belongs to. `fixed` to `sabotage` are controls, `tripwire` is the counter-check (d); `coverage`
 * and `diagnosis` look closer at the candidate and are never judged.
 */
export const Arm = z.enum(['candidate', 'fixed', 'good', 'trigger', 'sabotage', 'tripwire', 'coverage', 'diagnosis']);
export type Arm = z.infer<typeof Arm>;

/** What the probe looks at beside the ordinary, in trials that ask for it: each part costs the program time. */
export const ProbePart = z.enum(['numeric', 'collectives', 'locals', 'parameters', 'rows', 'allocator', 'outputs']);
export type ProbePart = z.infer<typeof ProbePart>;

/** One execution of a bundle in one environment on one place. */
export const Trial = z.object({
  schemaVersion: z.literal(1),
  /** Pure function of bundle, environment, arm tree, series and index: the idempotency key of its execution. */
  id: z.string(),
  bundleId: z.string(),
  environmentId: z.string(),
  arm: Arm,
  /** Tree hash of the subject copy that ran. */
  treeHash: z.string(),
  index: z.int().min(0),
  /** Condition that was set on purpose; absent = none. */
  lever: Lever.optional(),
  /** `finished`: the supervisor's END frame and checksum are there. `infra`: the platform failed and nothing may be judged. */
  outcome: z.enum(['finished', 'infra', 'cancelled']),
  infraReason: z.string().nullable(),
  /** The evidence stream in the artefact store. */
  evidence: ContentRef.nullable(),
  /** The random sentinel of a tripwire trial. */
  sentinel: z.string().nullable(),
  seconds: z.number(),
  /** Seconds that the platform added beside the script's own time. */
  overheadSeconds: z.number(),
});
export type Trial = z.infer<typeof Trial>;
