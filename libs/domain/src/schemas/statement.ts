import { z } from 'zod';
import { Span } from './common.js';
import { Lever } from './lever.js';
import { Arm } from './trial.js';

/** What a sentence of a result rests on (verdict.md, rule 9). */
export const Rest = z.discriminatedUnion('type', [
  /** One record of one trial's evidence. */
  z.object({ type: z.literal('record'), trial: z.string(), seq: z.int().min(0) }),
  /**
   * All finished trials of an arm; with `facet` what they say about that one symptom. Counts are made anew from them. `lever`: those
   * under it, or under none; absent = the series that the verdict is about.
   */
  z.object({
    type: z.literal('trials'),
    arm: Arm,
    trials: z.array(z.string()),
    facet: z.string().optional(),
    lever: z.union([Lever, z.literal('none')]).optional(),
  }),
  /** A finding of an integrity rule, by its place in the verdict's list. */
  z.object({ type: z.literal('finding'), index: z.int().min(0) }),
  /** The environment of the bundle and how far it is from what was asked for. */
  z.object({ type: z.literal('environment') }),
  /** A range of the report's text. */
  z.object({ type: z.literal('report'), span: Span }),
  /** The reading of the report; null = all of it. */
  z.object({ type: z.literal('claim'), facet: z.string().nullable() }),
  /** What was written down about an attempt when it was over. */
  z.object({ type: z.literal('attempt'), context: z.int(), attempt: z.int() }),
  /** A value that the rules of the judge give. */
  z.object({ type: z.literal('judgement'), field: z.enum(['grade', 'depth', 'facets', 'controls']) }),
  /** The run's own record: how it ended, trials, seconds, use of a model. */
  z.object({ type: z.literal('run') }),
]);
export type Rest = z.infer<typeof Rest>;

/** A part of the one sentence of a verdict, with the sign that joins it to the part before. */
export const Clause = z.object({ text: z.string(), joint: z.enum(['', ', ', '; ', ': ']), rests: z.array(Rest) });
export type Clause = z.infer<typeof Clause>;

/** One sentence of a result. Untrusted words in it stand between “ and ”. */
export const Statement = z.object({
  /** Unique within the result, such as `s3`. */
  id: z.string(),
  about: z.enum(['verdict', 'facet', 'control', 'finding', 'grade', 'depth', 'environment', 'attempt', 'run', 'idea']),
  /** Facet, arm, number of the finding or `context-attempt` that it is about; null = the result as a whole. */
  of: z.string().nullable(),
  text: z.string(),
  /** How it joins to the clause before; only in the verdict's own sentence. */
  joint: z.string().optional(),
  rests: z.array(Rest),
  /** `hypothesis`: nobody claims to have seen it. `not-grounded`: the checker refused it, and `note` says why. */
  standing: z.enum(['grounded', 'hypothesis', 'not-grounded']),
  note: z.string().optional(),
});
export type Statement = z.infer<typeof Statement>;
