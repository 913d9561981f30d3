import { z } from 'zod';

/** Limits of one trial, kept by the supervisor. */
export const Limits = z.object({
  wallSeconds: z.number().gt(0).default(300),
  memoryBytes: z
    .int()
    .min(1)
    .default(8 * 1024 ** 3),
  processes: z.int().min(1).default(512),
  outputBytes: z
    .int()
    .min(1)
    .default(16 * 1024 ** 2),
  diskBytes: z
    .int()
    .min(1)
    .default(2 * 1024 ** 3),
});
export type Limits = z.infer<typeof Limits>;

/** One command of a launch. Every argument is a word, never shell text. */
export const LaunchStep = z.object({
  /**
   * `python` as the first word is the environment's interpreter. A word that begins with `@script/` is a file of the
   * bundle's script folder; every other word is handed over as it is. The working directory is the subject's copy.
   */
  argv: z.array(z.string()).min(1),
  /**
   * Copies of the step that run side by side, each with RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT set, and what else
   * torchrun, TensorFlow (TF_CONFIG) and JAX ask for. In a cluster they are spread evenly over the pods.
   */
  ranks: z.int().min(1).max(64).default(1),
  /** Whether a later step still runs when this one ends with an error. */
  continueOnError: z.boolean().default(false),
});
export type LaunchStep = z.infer<typeof LaunchStep>;

/** A path of the trial's own `/tmp` begins with this; every other watched path is relative to the subject's copy. */
const TEMPORARY = '@tmp/';

/** A file that the supervisor looks at after the last step: a normal relative path that stays below its root. */
export const WatchedPath = z
  .string()
  .max(1_000)
  .refine((path) => !path.includes('\0') && relativeParts(path).every((part) => part !== '' && part !== '.' && part !== '..'), {
    message: 'must be a relative path without . and .., or one that begins with @tmp/',
  });

function relativeParts(path: string): string[] {
  return (path.startsWith(TEMPORARY) ? path.slice(TEMPORARY.length) : path).split('/');
}

/** How a bundle is started. */
export const Launch = z.object({
  schemaVersion: z.literal(1),
  steps: z.array(LaunchStep).min(1),
  /** Variables that report, script or trial plan sets; nothing of the host's environment is handed on. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
  limits: Limits.default(() => Limits.parse({})),
  network: z.boolean().default(false),
  /** Hang detection: every process silent and blocked at one place for this long ends the trial as hung; null = off. */
  silentSeconds: z.number().gt(0).nullable().default(null),
  /** Files whose content is evidence; absent where no oracle asks for one, so that the launch of other bundles stays as it is. */
  watchFiles: z.array(WatchedPath).min(1).max(16).optional(),
});
export type Launch = z.infer<typeof Launch>;
