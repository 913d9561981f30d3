import { z } from 'zod';
import { ContentRef } from './common.js';

/** One piece of the subject's code in a context. */
export const ContextBlock = z.object({
  role: z.enum(['training-loop', 'frame', 'snippet', 'dependency', 'configuration']),
  file: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  name: z.string(),
  text: z.string(),
  score: z.number(),
});
export type ContextBlock = z.infer<typeof ContextBlock>;

/** One ranked, budgeted selection of the subject's code; equal input gives equal bytes. */
export const Context = z.object({
  schemaVersion: z.literal(1),
  rank: z.int().min(1),
  module: z.string(),
  score: z.number(),
  blocks: z.array(ContextBlock),
  /** What was left out for the budget. */
  cut: z.array(z.string()),
  bytes: z.int(),
});
export type Context = z.infer<typeof Context>;

const RankingModel = z.object({ name: z.string(), digest: z.string() });

/** By what the chunks of a tree were ranked when contexts were chosen from it. */
export const ContextRanking = z.object({
  /** `ChunkIndex.kind`. */
  engine: z.string(),
  chunks: z.int(),
  /** Null = by words alone, since none is configured. */
  embedder: RankingModel.extend({
    /** Texts that were embedded for this choice; the others' vectors were there. */
    embedded: z.int(),
    /** Chunks without a vector, which are reckoned with the mean of the others. */
    pending: z.int(),
  }).nullable(),
  /** Null = the search's own order. */
  reranker: RankingModel.nullable(),
});
export type ContextRanking = z.infer<typeof ContextRanking>;

export const PlanStep = z.object({
  id: z.string(),
  purpose: z.enum(['env', 'data', 'model', 'config', 'trigger', 'observe', 'assert']),
  action: z.string(),
});
/** Typed steps for one context. */
export const Plan = z.object({
  schemaVersion: z.literal(1),
  context: z.int(),
  steps: z.array(PlanStep),
  madeBy: z.enum(['rules', 'model']),
});
export type Plan = z.infer<typeof Plan>;

/** One call of a model, stored and replayable. */
export const ModelCall = z.object({
  schemaVersion: z.literal(1),
  purpose: z.string(),
  model: z.string(),
  promptHash: z.string(),
  prompt: ContentRef,
  answer: ContentRef.nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  seconds: z.number(),
  error: z.string().nullable(),
});
export type ModelCall = z.infer<typeof ModelCall>;
