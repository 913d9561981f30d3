import { z } from 'zod';

/**
 * A condition of a trial that is set on purpose to see whether it decides when a fault by chance comes (verdict.md section 6):
 * `hash-seed`: the seed of Python's hashes; `threads`: threads of numeric libraries; `load`: busy processes per processor.
 */
export const Lever = z.object({ kind: z.enum(['hash-seed', 'threads', 'load']), value: z.int().min(1).max(1_000_000) });
export type Lever = z.infer<typeof Lever>;
export type LeverKind = Lever['kind'];

const Counts = z.object({ shown: z.int(), total: z.int() });

/** What a lever does to the rate. */
export const LeverResult = z.object({
  lever: Lever,
  /** Trials of the candidate under the lever. */
  under: Counts,
  /** What these are compared with: the same script under `otherSeed`, or without any lever. */
  against: Counts,
  otherSeed: z.int().nullable(),
  /** Trials of the control under the lever; null = none were run. */
  control: Counts.nullable(),
  effect: z.enum(['more', 'less', 'none']),
  /** Exact one-sided p of the effect; null where there is none. */
  p: z.number().nullable(),
  /** The effect is no chance, and the control stays without the symptom under it. */
  proven: z.boolean(),
});
export type LeverResult = z.infer<typeof LeverResult>;
