import { z } from 'zod';

/** `reenact.json` of a case directory. */
export const CaseSettings = z.strictObject({
  schemaVersion: z.literal(1).default(1),
  /** What the environment must hold, as requirement lines; without it, versions come from the report. */
  with: z.array(z.string()).default([]),
  /** Python version or interpreter. */
  python: z.string().optional(),
  /** Distributions of an environment in which the fault is absent: a second control. */
  goodWith: z.array(z.string()).default([]),
  limits: z.strictObject({ wallSeconds: z.number().gt(0).optional(), memoryBytes: z.int().optional() }).optional(),
  attempts: z.int().min(1).max(25).optional(),
});
export type CaseSettings = z.infer<typeof CaseSettings>;

/** Limits of one run; a limit that is null is not kept. */
export const Budget = z.object({
  costUsd: z.number().nullable(),
  tokens: z.int().nullable(),
  minutes: z.number().nullable(),
  attemptsPerContext: z.int().min(1).default(5),
});
export type Budget = z.infer<typeof Budget>;
