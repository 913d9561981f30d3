import { z } from 'zod';

/** A moment as ISO 8601 in UTC, so that texts sort as times do. */
const Moment = z.iso.datetime();

/** Schema of `RunRow` (ports.ts), checked where rows enter and leave a store. */
export const runRowSchema = z.object({
  runId: z.string().min(1),
  workflowId: z.string().min(1),
  title: z.string(),
  phase: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  verdict: z.string().nullable(),
  createdAt: Moment,
  updatedAt: Moment,
  folder: z.string(),
});

/** Schema of `RunEvent` (ports.ts). */
export const runEventSchema = z.object({
  sequence: z.int().min(1),
  at: Moment,
  phase: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});
