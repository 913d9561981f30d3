import { z } from 'zod';

/** An ordered history, of which the good end lacks the fault and the bad end has it. */
export const BisectAxis = z.discriminatedUnion('type', [
  z.object({ type: z.literal('git'), url: z.string(), good: z.string(), bad: z.string() }),
  z.object({ type: z.literal('distribution'), name: z.string(), good: z.string(), bad: z.string() }),
  z.object({ type: z.literal('python'), good: z.string(), bad: z.string() }),
]);
export type BisectAxis = z.infer<typeof BisectAxis>;

/** `found`: one change explains all trials; `uncertain`: named with less than 0.9, or not named at all; the others say which end is wrong. */
export const BisectionStatus = z.enum(['found', 'uncertain', 'good-end-shows', 'bad-end-absent', 'end-not-runnable']);
export type BisectionStatus = z.infer<typeof BisectionStatus>;

/** What was tried at one point of the history. */
export const BisectedPoint = z.object({
  /** Commit or version. */
  value: z.string(),
  label: z.string(),
  shown: z.int(),
  trials: z.int(),
  /** Why it could not be tried. */
  skipped: z.string().nullable(),
});
export type BisectedPoint = z.infer<typeof BisectedPoint>;

/** Result of a bisection: `bisection.json` in the run's folder. */
export const Bisection = z.object({
  schemaVersion: z.literal(1),
  runId: z.string(),
  bundleId: z.string(),
  axis: BisectAxis,
  status: BisectionStatus,
  sentence: z.string(),
  /** First point with the fault; `candidates` has more than one where those between could not be tried. */
  culprit: z.object({ candidates: z.array(z.object({ value: z.string(), label: z.string() })), probability: z.number() }).nullable(),
  /** Points whose trials hardly fit a single change. */
  contradictions: z.array(z.string()),
  /** How often a point with the fault is taken to show it, in (0, 1]. */
  rate: z.number(),
  points: z.int(),
  tried: z.array(BisectedPoint),
  trials: z.int(),
  seconds: z.number(),
});
export type Bisection = z.infer<typeof Bisection>;
