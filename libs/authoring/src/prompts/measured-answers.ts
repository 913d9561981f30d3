import { z } from 'zod';

/** Values that choose lines of observations; `null` = not used, as strict structured output wants it. */
export const AnswerScalar = z.union([z.number(), z.string(), z.boolean()]);
export const AnswerWhere = z.array(z.strictObject({ name: z.string(), value: AnswerScalar })).nullable();

const arms = { name: z.string(), armField: z.string().nullable(), where: AnswerWhere };

/** The kinds about sizes, series and comparisons, as a model may propose them. */
export const MEASURED_ANSWERS = [
  z.strictObject({ kind: z.literal('oom'), atLeastBytes: z.int().nullable() }),
  z.strictObject({
    kind: z.literal('memory_peak'),
    obs: z.string().nullable(),
    op: z.enum(['<', '<=', '>', '>=']),
    bytes: z.int(),
  }),
  z.strictObject({
    kind: z.literal('trend'),
    of: z.enum(['value', 'rss']),
    name: z.string().nullable(),
    direction: z.enum(['rises', 'falls', 'does-not-fall', 'does-not-rise']),
    memory: z.boolean(),
    where: AnswerWhere,
  }),
  z.strictObject({
    kind: z.literal('nondeterminism'),
    name: z.string(),
    seedName: z.string().nullable(),
    repeatName: z.string().nullable(),
    where: AnswerWhere,
  }),
  z.strictObject({
    kind: z.literal('slow'),
    ...arms,
    slowArm: AnswerScalar.nullable(),
    fastArm: AnswerScalar.nullable(),
    sameArm: AnswerScalar.nullable(),
    sizeField: z.string().nullable(),
    atLeastRatio: z.number().nullable(),
  }),
  z.strictObject({
    kind: z.literal('distribution'),
    ...arms,
    greaterArm: AnswerScalar,
    lesserArm: AnswerScalar,
    test: z.enum(['values', 'rate']),
  }),
  z.strictObject({
    kind: z.literal('differential'),
    candidate: z.string(),
    reference: z.string(),
    referee: z.string(),
    referenceAgain: z.string().nullable(),
    lowPrecision: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('roundtrip'),
    before: z.string(),
    after: z.string(),
    beforeAgain: z.string().nullable(),
    absolute: z.number().nullable(),
    where: AnswerWhere,
  }),
  z.strictObject({ kind: z.literal('desync'), name: z.string(), ranks: z.int().nullable(), where: AnswerWhere }),
] as const;
