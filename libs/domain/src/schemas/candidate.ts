import { z } from 'zod';
import { Launch } from './launch.js';

export const ScriptFile = z.object({ path: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/), text: z.string() });
export type ScriptFile = z.infer<typeof ScriptFile>;

/** One script or command proposed for a plan. */
export const Candidate = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  origin: z.enum(['report-snippet', 'report-command', 'entry-point', 'project-test', 'generated', 'given']),
  /** Files of the script folder; empty where the project's own entry point is run. */
  files: z.array(ScriptFile),
  launch: Launch,
  /** Where it comes from, in words: a span of the report, a file of the project, a prompt hash. */
  source: z.string(),
  /** Deterministic repairs that were applied, in order. */
  repairs: z.array(z.string()),
});
export type Candidate = z.infer<typeof Candidate>;

/** Something that a static or dynamic rule found in a script. */
export const Finding = z.object({
  rule: z.string(),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  /** `suspicion` until shown; only a `finding` ends in `refused` or lowers the grade. */
  level: z.enum(['advice', 'suspicion', 'finding', 'refuted']),
  /** What refuted or confirmed it. */
  evidence: z.string().optional(),
  /** The facet whose signal it could imitate. */
  facet: z.string().optional(),
  /** What the rule needs to confirm it later: texts, line ends, whether the subject decides over it. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});
export type Finding = z.infer<typeof Finding>;
