import { Oracle } from '@reenact/domain/schemas';
import { z } from 'zod';
import { AnswerScalar, AnswerWhere, MEASURED_ANSWERS } from './measured-answers.js';

/**
 * What a model may answer. Strict schemas with every key present (`null` = not used), as strict structured output wants
 * them; `toOracle` turns them into the domain's form.
 */
const Observation = z.strictObject({
  obs: z.string(),
  take: z.enum(['last', 'first', 'max', 'min', 'mean', 'all', 'any', 'distinct']),
  where: AnswerWhere,
});
const Operand = z.union([AnswerScalar, Observation]);
const Comparator = z.enum(['==', '!=', '<', '<=', '>', '>=', 'approx']);
const Stream = z.enum(['stdout', 'stderr', 'any']);

export const AnswerOracle = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exception'),
    types: z.array(z.string()),
    message: z.strictObject({ text: z.string(), match: z.enum(['signature', 'contains', 'keywords']) }).nullable(),
    through: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('output'),
    pattern: z.string(),
    stream: Stream,
    atLeast: z.int().nullable(),
    notFollowedBy: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('warning'), category: z.string().nullable(), pattern: z.string().nullable() }),
  z.strictObject({
    kind: z.literal('relation'),
    left: Operand,
    op: Comparator,
    right: Operand,
    absolute: z.number().nullable(),
    relative: z.number().nullable(),
  }),
  z.strictObject({
    kind: z.literal('printed'),
    pattern: z.string(),
    take: z.enum(['last', 'first', 'max', 'min', 'all', 'any', 'distinct']),
    op: Comparator,
    right: z.number(),
    absolute: z.number().nullable(),
  }),
  z.strictObject({ kind: z.literal('nonfinite'), name: z.string().nullable(), which: z.enum(['nan', 'inf', 'any']) }),
  z.strictObject({
    kind: z.literal('shape'),
    obs: z.string(),
    shape: z.array(z.int()).nullable(),
    notShape: z.array(z.int()).nullable(),
    dtype: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('exit'), op: z.enum(['==', '!=']), code: z.int().nullable(), signal: z.string().nullable() }),
  z.strictObject({ kind: z.literal('hang'), silentSeconds: z.number().nullable() }),
  z.strictObject({ kind: z.literal('import'), types: z.array(z.string()), message: z.string().nullable() }),
  ...MEASURED_ANSWERS,
]);
export type AnswerOracle = z.infer<typeof AnswerOracle>;

export const RefinedClaimAnswer = z.strictObject({
  facets: z.array(
    z.strictObject({
      /** Id of a known facet, or a new one. */
      id: z.string(),
      statement: z.string(),
      /** The words of the report that claim it, copied letter by letter. */
      quote: z.string(),
      stance: z.enum(['observed', 'expected', 'guess', 'contrast', 'neutral']),
      shownBy: z.enum(['harness', 'measurement']),
      oracles: z.array(AnswerOracle),
    }),
  ),
  triggers: z.array(z.strictObject({ text: z.string(), quote: z.string() })),
  missing: z.array(z.string()),
});
export type RefinedClaimAnswer = z.infer<typeof RefinedClaimAnswer>;

export const PlanAnswer = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        id: z.string(),
        purpose: z.enum(['env', 'data', 'model', 'config', 'trigger', 'observe', 'assert']),
        action: z.string(),
      }),
    )
    .refine(
      (steps) => ['trigger', 'assert'].every((purpose) => steps.some((step) => step.purpose === purpose)),
      'needs at least one step with the purpose "trigger" and one with "assert"',
    ),
  hypotheses: z.array(z.string()),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

export const ScriptAnswer = z.strictObject({
  /** The idea of this script, in one sentence. */
  idea: z.string(),
  script: z.string().refine((text) => text.trim() !== '', 'is empty'),
  launchArgs: z.array(z.string()).nullable(),
  /** Copies to start side by side with RANK and WORLD_SIZE set; null = one process. */
  ranks: z.int().nullable(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).nullable(),
  facets: z.array(z.strictObject({ id: z.string(), oracles: z.array(AnswerOracle) })),
});
export type ScriptAnswer = z.infer<typeof ScriptAnswer>;

export const SabotageAnswer = z.strictObject({
  /** What is wrong in the functions, in one sentence. */
  idea: z.string(),
  functions: z.array(z.strictObject({ file: z.string(), function: z.string(), text: z.string() })),
});
export type SabotageAnswer = z.infer<typeof SabotageAnswer>;

export const DiagnosisAnswer = z.strictObject({
  /** Why the previous script did not show the symptom, from what it printed. */
  diagnosis: z.string(),
  hypotheses: z.array(z.strictObject({ text: z.string(), status: z.enum(['open', 'supported', 'refuted']), note: z.string() })),
  next: ScriptAnswer,
});
export type DiagnosisAnswer = z.infer<typeof DiagnosisAnswer>;

/** The domain's form of an oracle that a model proposed; null where it does not fit the domain's schema. */
export function toOracle(answer: AnswerOracle): Oracle | null {
  const parsed = Oracle.safeParse(withoutNulls(unfold(answer)));
  return parsed.success ? parsed.data : null;
}

function unfold(answer: AnswerOracle): unknown {
  if (answer.kind === 'relation') return { ...answer, left: unfoldOperand(answer.left), right: unfoldOperand(answer.right) };
  return 'where' in answer ? unfoldWhere(answer) : answer;
}

function unfoldOperand(operand: z.infer<typeof Operand>): unknown {
  return typeof operand === 'object' ? unfoldWhere(operand) : asNumber(operand);
}

function unfoldWhere(holder: { where: z.infer<typeof AnswerWhere> }): unknown {
  const { where } = holder;
  return { ...holder, where: where ? Object.fromEntries(where.map(({ name, value }) => [name, asNumber(value)])) : null };
}

/** `"0.2"` is the number that an OBS line without quotes gives. */
function asNumber(value: z.infer<typeof AnswerScalar>): z.infer<typeof AnswerScalar> {
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?$/.test(value) ? Number(value) : value;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}
