import { z } from 'zod';
import { Arm } from './trial.js';
import { Lever, LeverResult } from './lever.js';
import { Finding } from './candidate.js';
import { ContentRef } from './common.js';
import { ContextRanking } from './context.js';
import { Statement } from './statement.js';

/** The states of verdict.md section 5. */
export const VerdictState = z.enum([
  'reproduced',
  'reproduced_uncontrolled',
  'reproduced_unstable',
  'partial',
  'different_failure',
  'not_reproduced',
  'fixed',
  'needs_info',
  'unsupported',
  'not_shown',
  'refused',
  'model_of_bug',
  'cancelled',
  'not_a_bug',
  'inconclusive',
  'infra_error',
]);
export type VerdictState = z.infer<typeof VerdictState>;

export const FacetState = z.enum(['shown', 'absent', 'collision', 'undecided']);
export type FacetState = z.infer<typeof FacetState>;

/** What an oracle's answer rests on: a record of one trial's evidence, and what was read there. */
export const Grounding = z.object({ trial: z.string(), seq: z.int(), text: z.string() });
export type Grounding = z.infer<typeof Grounding>;

/** What a closer look told about a symptom. It proves nothing: the verdict rests on other trials. */
export const Explanation = z.object({ facet: z.string(), text: z.string(), grounding: z.array(Grounding) });
export type Explanation = z.infer<typeof Explanation>;

/** k of n with its exact 95 % interval (Clopper–Pearson). */
export const Rate = z.object({ shown: z.int(), total: z.int(), low: z.number(), high: z.number() });
export type Rate = z.infer<typeof Rate>;

export const FacetResult = z.object({
  id: z.string(),
  statement: z.string(),
  live: z.boolean(),
  state: FacetState,
  shownBy: z.enum(['harness', 'measurement']),
  rate: Rate,
  note: z.string().optional(),
  grounding: z.array(Grounding),
});
export type FacetResult = z.infer<typeof FacetResult>;

/** One arm of trials and what it says about the signal. */
export const ControlResult = z.object({
  arm: Arm,
  label: z.string(),
  /** `absent` is what a control must be. */
  state: z.enum(['absent', 'shown', 'undecided', 'not-run']),
  rate: Rate,
  /** One-sided Fisher p of candidate arm against this one; null where the kinds are deterministic and need none. */
  p: z.number().nullable(),
  note: z.string(),
  trials: z.array(z.string()),
});
export type ControlResult = z.infer<typeof ControlResult>;

export const Grade = z.enum(['A', 'B', 'C', 'D']);
export type Grade = z.infer<typeof Grade>;

/** Why something cannot be tried here (verdict.md section 5, `unsupported`). */
export const LackReason = z.enum(['hardware', 'data', 'dependency', 'licence', 'service', 'platform']);
export type LackReason = z.infer<typeof LackReason>;

/** The contract of one missing thing: what it is, in which form it is needed, and how to give it. */
export const Need = z.object({ reason: LackReason, what: z.string(), form: z.string(), give: z.string() });
export type Need = z.infer<typeof Need>;

/** The answer, as in `verdict.json` and on standard output with `--json`. */
export const Verdict = z.object({
  schemaVersion: z.literal(1),
  runId: z.string(),
  verdict: VerdictState,
  /** The answer in one sentence, the same everywhere. */
  sentence: z.string(),
  rate: Rate,
  grade: Grade.nullable(),
  gradeReason: z.string(),
  depth: z.enum(['L0', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7']),
  facets: z.array(FacetResult),
  controls: z.array(ControlResult),
  /** Conditions that were set on purpose, and what they do to the rate; absent = none was tried. */
  levers: z.array(LeverResult).optional(),
  /** The lever under which the series ran that rate, facets and controls are about; absent = none. */
  seriesLever: Lever.optional(),
  findings: z.array(Finding),
  /** Absent where no diagnostic trial was run, or none told anything. */
  explanations: z.array(Explanation).optional(),
  /** Reason of `unsupported`, or the limit of `inconclusive`: `budget`, `undecided`, `hardware` … */
  reason: z.string().nullable(),
  missing: z.array(z.string()),
  /** What is missing on this machine, where the answer is `unsupported`; absent elsewhere. */
  needs: z.array(Need).optional(),
  attempts: z.array(
    z.object({
      context: z.int(),
      attempt: z.int(),
      candidate: z.string(),
      origin: z.string(),
      result: z.string(),
      note: z.string(),
      evidence: ContentRef.nullable(),
    }),
  ),
  cost: z.object({ modelCalls: z.int(), inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number().nullable() }),
  /** Path of the bundle, relative to the run's folder, and its id. */
  bundle: z.object({ id: z.string(), path: z.string() }).nullable(),
  /** Absent where no context was chosen. */
  ranking: ContextRanking.optional(),
  environment: z.object({ id: z.string(), python: z.string(), sandbox: z.string() }).nullable(),
  skipped: z.array(z.string()),
  trials: z.int(),
  seconds: z.number(),
  /** Every sentence of the result with what it rests on, checked when it was published; absent in older results. */
  statements: z.array(Statement).optional(),
});
export type Verdict = z.infer<typeof Verdict>;
