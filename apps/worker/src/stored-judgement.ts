import { z } from 'zod';
import { Verdict } from '@reenact/domain/schemas';

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
  findings: true,
  reason: true,
}).extend({ trials: z.int() });
