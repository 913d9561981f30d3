import { z } from 'zod';
import { Frame, Span } from './common.js';

const spanned = { span: Span };

/** One exception as the report shows it; `cause` is the one it was raised from or while handling. */
export interface ReportedException {
  /** Type name as printed, dotted names kept: `torch.OutOfMemoryError`. */
  type: string;
  message: string;
  frames: Frame[];
  notes: string[];
  rank?: number | undefined;
  cause?: ReportedException | undefined;
  causeKind?: 'cause' | 'context' | undefined;
  span: Span;
}
export const ReportedException: z.ZodType<ReportedException> = z.object({
  type: z.string(),
  message: z.string(),
  frames: z.array(Frame),
  notes: z.array(z.string()),
  rank: z.int().optional(),
  get cause() {
    return ReportedException.optional();
  },
  causeKind: z.enum(['cause', 'context']).optional(),
  span: Span,
});

/** How a sentence of the report is meant; only `observed` sentences make live facets. */
export const Stance = z.enum(['observed', 'expected', 'guess', 'contrast', 'neutral']);
export type Stance = z.infer<typeof Stance>;

/** A bug report as filed and everything that rules can read from it, each with its place in the text. */
export const Report = z.object({
  schemaVersion: z.literal(1),
  /** SHA-256 of the report's bytes, hex. */
  digest: z.string(),
  title: z.string(),
  /** The text that was read: decoded, normalised line ends, cut at the limit. */
  text: z.string(),
  truncated: z.boolean(),
  /** Filing date as ISO `YYYY-MM-DD`, when the report names one. */
  date: z.string().nullable(),
  sentences: z.array(z.object({ ...spanned, text: z.string(), stance: Stance })),
  exceptions: z.array(ReportedException),
  /** Lines outside a trace that look like an error, such as `Killed` or `CUDA error: …`. */
  errorLines: z.array(z.object({ ...spanned, text: z.string(), rank: z.int().optional() })),
  /** Ends of a program below Python: fault dumps, glibc's and TensorFlow's checks, C++ exceptions that nobody caught. */
  nativeFailures: z
    .array(
      z.object({
        ...spanned,
        signal: z.string(),
        /** What native code said; empty where only the signal is told. */
        message: z.string(),
        type: z.string().optional(),
        frames: z.array(Frame),
        rank: z.int().optional(),
      }),
    )
    .default([]),
  warnings: z.array(z.object({ ...spanned, category: z.string(), message: z.string() })),
  codeBlocks: z.array(
    z.object({
      ...spanned,
      language: z.enum(['python', 'shell', 'output', 'traceback', 'config', 'diff', 'unknown']),
      text: z.string(),
    }),
  ),
  commands: z.array(z.object({ ...spanned, text: z.string(), argv: z.array(z.string()) })),
  packages: z.array(
    z.object({
      ...spanned,
      name: z.string(),
      version: z.string(),
      source: z.enum(['pip', 'conda', 'collect-env', 'requirement', 'table', 'prose']),
      /** How the version is meant: reported as used, or as one where the fault does not show. */
      role: z.enum(['used', 'good']),
    }),
  ),
  pythonVersions: z.array(z.object({ ...spanned, version: z.string() })),
  operatingSystem: z.string().nullable(),
  devices: z.array(
    z.object({
      ...spanned,
      kind: z.enum(['cpu', 'cuda', 'rocm', 'mps', 'tpu', 'xpu']),
      model: z.string().optional(),
      count: z.int().optional(),
    }),
  ),
  worldSize: z.object({ ...spanned, value: z.int() }).nullable(),
  backend: z.string().nullable(),
  numbers: z.array(z.object({ ...spanned, text: z.string(), value: z.number(), unit: z.string().optional(), name: z.string().optional() })),
  /** Words about how often the symptom comes, with the rate that they suggest (0 to 1). */
  frequency: z.object({ ...spanned, text: z.string(), rate: z.number() }).nullable(),
  seeds: z.array(z.object({ ...spanned, value: z.int() })),
  links: z.array(z.object({ ...spanned, url: z.string() })),
  files: z.array(z.object({ ...spanned, path: z.string() })),
  /** Back-ticked names and dotted names of code. */
  symbols: z.array(z.object({ ...spanned, name: z.string() })),
  /** What a reproduction would need and the report does not say: `version`, `command`, `symptom`, `code`, `data`, `environment`. */
  missing: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;
