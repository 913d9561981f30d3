import { z } from 'zod';
import { Frame, Scalar } from './common.js';
import {
  BuildOracle,
  DesyncOracle,
  DifferentialOracle,
  DistributionOracle,
  FileOracle,
  MemoryPeakOracle,
  NondeterminismOracle,
  OomOracle,
  RoundtripOracle,
  SlowOracle,
  TrendOracle,
} from './measured-oracle.js';

/** Where text is looked for. Ranks are never merged: a pattern must match within one stream of one process. */
export const StreamChoice = z.enum(['stdout', 'stderr', 'any']);

/** Picks one value out of the observations of a trial. */
export const ObservationRef = z.object({
  obs: z.string(),
  /** Which of several values of that name: every one must hold (`all`), one must (`any`), or one that is computed first. */
  take: z.enum(['last', 'first', 'max', 'min', 'mean', 'all', 'any', 'distinct']).default('last'),
  /** Only observations of lines that carry these other values too, for example `{alpha: 0.2}`; `rank` and `step` may stand here. */
  where: z.record(z.string(), Scalar).optional(),
});
export type ObservationRef = z.infer<typeof ObservationRef>;

export const Operand = z.union([Scalar, ObservationRef, z.array(Scalar)]);
export type Operand = z.infer<typeof Operand>;

export const Comparator = z.enum(['==', '!=', '<', '<=', '>', '>=', 'approx']);
export type Comparator = z.infer<typeof Comparator>;

export const ExceptionOracle = z.object({
  kind: z.literal('exception'),
  /** Accepted type names, last component compared; empty = any type. */
  types: z.array(z.string()).default([]),
  message: z
    .object({
      /** The message as claimed. */
      text: z.string(),
      /** `signature`: equal after masking or line similarity > 0.8; `contains`: masked substring; `keywords`: every content word occurs. */
      match: z.enum(['signature', 'contains', 'keywords', 'regex']).default('signature'),
    })
    .optional(),
  frames: z.array(Frame).default([]),
  /** Module-level or dotted names one of which must be among the frames' functions, such as `torch.save`. */
  through: z.array(z.string()).default([]),
});
export const OutputOracle = z.object({
  kind: z.literal('output'),
  pattern: z.string(),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default(''),
  stream: StreamChoice.default('any'),
  rank: z.int().min(0).optional(),
  atLeast: z.int().min(0).default(1),
  atMost: z.int().min(0).optional(),
  /** Once the pattern matched, this one must not come on the same stream. */
  notFollowedBy: z.string().optional(),
});
export const WarningOracle = z.object({
  kind: z.literal('warning'),
  category: z.string().optional(),
  pattern: z.string().optional(),
  file: z.string().optional(),
});
export const RelationOracle = z.object({
  kind: z.literal('relation'),
  left: Operand,
  op: Comparator,
  right: Operand,
  /** For `approx`: absolute and relative tolerance, |l − r| ≤ absolute + relative · |r|. */
  absolute: z.number().min(0).optional(),
  relative: z.number().min(0).optional(),
});
/** A number that the subject itself prints, such as `acc 2.45`: the name before it, and the relation that its values must hold. */
export const PrintedOracle = z.object({
  kind: z.literal('printed'),
  /** Regular expression with one group that captures the number. */
  pattern: z.string(),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default('i'),
  take: z.enum(['last', 'first', 'max', 'min', 'all', 'any', 'distinct']).default('any'),
  op: Comparator,
  right: z.number(),
  absolute: z.number().min(0).optional(),
});
export const NonFiniteOracle = z.object({
  kind: z.literal('nonfinite'),
  /** Observation or printed metric name; absent = any. */
  name: z.string().optional(),
  atMostStep: z.int().optional(),
  which: z.enum(['nan', 'inf', 'any']).default('any'),
});
export const ShapeOracle = z.object({
  kind: z.literal('shape'),
  obs: z.string(),
  shape: z.array(z.int()).optional(),
  notShape: z.array(z.int()).optional(),
  dtype: z.string().optional(),
  device: z.string().optional(),
});
export const ExitOracle = z.object({
  kind: z.literal('exit'),
  op: z.enum(['==', '!=']).default('=='),
  code: z.int().optional(),
  signal: z.string().optional(),
  /** What native code said at the end, such as `free(): invalid pointer`; compared as a signature. */
  message: z.string().optional(),
  /** Python frames of the thread that the signal hit, outermost first. */
  frames: z.array(Frame).optional(),
});
export const HangOracle = z.object({
  kind: z.literal('hang'),
  /** Least silence in seconds before a process counts as hung; `verdict.md` section 4: max(20, 20 median steps, 5 × the control's longest gap). */
  silentSeconds: z.number().min(1).default(20),
  /** Text that a process prints just before, where the report shows it. */
  lastLine: z.string().optional(),
});
export const ImportOracle = z.object({
  kind: z.literal('import'),
  types: z.array(z.string()).default([]),
  message: z.string().optional(),
});

/** One typed check over the evidence of a trial. An oracle is data; its evaluation is a pure function in `@reenact/verdict`. */
export const Oracle = z.discriminatedUnion('kind', [
  ExceptionOracle,
  OutputOracle,
  WarningOracle,
  RelationOracle,
  PrintedOracle,
  NonFiniteOracle,
  ShapeOracle,
  ExitOracle,
  HangOracle,
  ImportOracle,
  OomOracle,
  MemoryPeakOracle,
  TrendOracle,
  NondeterminismOracle,
  SlowOracle,
  DistributionOracle,
  DifferentialOracle,
  RoundtripOracle,
  DesyncOracle,
  FileOracle,
  BuildOracle,
]);
export type Oracle = z.infer<typeof Oracle>;
export type OracleOf<K extends Oracle['kind']> = Extract<Oracle, { kind: K }>;
export type OracleKind = Oracle['kind'];
