import { z } from 'zod';
import { Clause, Verdict } from '@reenact/domain/schemas';

/** A judgement as it lies in the store. */
export const StoredJudgement = Verdict.pick({
  verdict: true,
  sentence: true,
  rate: true,
  grade: true,
  gradeReason: true,
  depth: true,
  facets: true,
  controls: true,
  levers: true,
  seriesLever: true,
  findings: true,
  explanations: true,
  reason: true,
}).extend({
  trials: z.int(),
  // judgements of runs that began before these were kept lack them
  clauses: z.array(Clause).default([]),
  candidates: z.array(z.string()).default([]),
  expectedRate: z.number().default(1),
});
