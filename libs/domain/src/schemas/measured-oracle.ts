import { z } from 'zod';
import { Scalar } from './common.js';
import { WatchedPath } from './launch.js';

/**
 * Kinds whose signal is a size, a series or a comparison. What a report leaves open has a default; a rule that recognises
 * a symptom and cannot name its observation leaves the names out and says why in `note`: then the answer is `undecided`.
 */
const note = z.string().default('');
const observation = z.string().min(1).max(200);
/** Only lines that carry these other values too; `rank` and `step` may stand here. */
const where = z.record(z.string(), Scalar).optional();
/** |left − right| ≤ absolute + relative · |right| counts as equal. */
const tolerance = { absolute: z.number().min(0).default(0), relative: z.number().min(0).max(0.5).default(0) };
const bytes = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const OomOracle = z.object({
  kind: z.literal('oom'),
  note,
  /** Least size of the allocation that fails, or of the peak where our own limit ended the process. */
  atLeastBytes: bytes.optional(),
});
export const MemoryPeakOracle = z.object({
  kind: z.literal('memory_peak'),
  note,
  /** An observation that holds bytes; absent = what the supervisor saw. */
  obs: observation.optional(),
  where,
  op: z.enum(['<', '<=', '>', '>=']).default('>'),
  bytes: bytes.optional(),
});
export const TrendOracle = z.object({
  kind: z.literal('trend'),
  note,
  /** `rss`: the supervisor's samples of resident memory over time. */
  of: z.enum(['value', 'rss']).default('value'),
  /** Observation or printed metric. */
  name: observation.optional(),
  where,
  direction: z.enum(['rises', 'falls', 'does-not-fall', 'does-not-rise']).default('rises'),
  /** A rise counts only from 1 % of the start per 100 steps on, and where it goes on in the second half. */
  memory: z.boolean().default(false),
  /** First share of the points, which is left out. */
  warmUpShare: z.number().min(0).max(0.9).default(0.1),
  /** Greatest change that still counts as none, as a share of the start value. */
  boundShare: z.number().min(0.001).max(0.5).default(0.1),
});
export const NondeterminismOracle = z.object({
  kind: z.literal('nondeterminism'),
  note,
  name: observation.optional(),
  where,
  /** Field that states the seed of a repeat; it must stand on every line and be the same on all. */
  seedName: observation.optional(),
  /** Field that numbers the repeats; absent = every line is one. */
  repeatName: observation.optional(),
  ...tolerance,
});
export const SlowOracle = z.object({
  kind: z.literal('slow'),
  note,
  /** Observation of one duration per line. */
  name: observation.optional(),
  where,
  armField: observation.default('arm'),
  slowArm: Scalar.optional(),
  fastArm: Scalar.optional(),
  /** The fast arm under a second name: measured against it first, so that a restless machine voids the answer. */
  sameArm: Scalar.optional(),
  /** Field of the amount of work: the largest is compared with the smallest, instead of two arms. */
  sizeField: observation.optional(),
  /** What the cost may do with the work. */
  sizeCost: z.enum(['linear', 'constant']).default('linear'),
  /** The claimed slowdown; half of what it exceeds 1 by is asked for, and never less than 1.07. */
  atLeastRatio: z.number().min(1).max(1e6).default(1.14),
});
export const DistributionOracle = z.object({
  kind: z.literal('distribution'),
  note,
  /** Observation of one value per repeat. */
  name: observation.optional(),
  where,
  armField: observation.default('arm'),
  /** The arm that is claimed to have the greater values, or more often a 1. */
  greaterArm: Scalar.optional(),
  lesserArm: Scalar.optional(),
  /** `rate`: every value is 0 or 1. */
  test: z.enum(['values', 'rate']).default('values'),
});
export const DifferentialOracle = z.object({
  kind: z.literal('differential'),
  note,
  candidate: observation.optional(),
  reference: observation.optional(),
  /** The same quantity in double precision. */
  referee: observation.optional(),
  /** The reference once more; absent = `reference` itself is observed at least twice. */
  referenceAgain: observation.optional(),
  where,
  /** m of RMSE(candidate) > m · RMSE(reference) + tolerance / 10; it can only raise what the number of elements asks for. */
  multiple: z.number().min(2).max(100).optional(),
  /** Half precision asks for a multiple of ten. */
  lowPrecision: z.boolean().default(false),
  tolerance: z.number().min(0).default(1e-4),
});
export const RoundtripOracle = z.object({
  kind: z.literal('roundtrip'),
  note,
  before: observation.optional(),
  after: observation.optional(),
  /** `before` once more without saving and loading; where it differs by itself nothing is decided. */
  beforeAgain: observation.optional(),
  where,
  ...tolerance,
});
export const DesyncOracle = z.object({
  kind: z.literal('desync'),
  note,
  /** What the probe records of each rank, instead of an observation of the script. */
  of: z.enum(['collectives', 'parameters', 'rows']).optional(),
  /** What has to be of the rows that ranks read. */
  rows: z.enum(['same', 'disjoint']).optional(),
  name: observation.optional(),
  where,
  /** How many ranks must report; absent = those that do, two at least. */
  ranks: z.int().min(2).max(100_000).optional(),
  ...tolerance,
});
/** A file as the trial leaves it. All that is stated must hold; keys are those of the top level, or names of an archive's entries. */
export const FileOracle = z.object({
  kind: z.literal('file'),
  note,
  path: WatchedPath.optional(),
  exists: z.boolean().default(true),
  /** Regular expression that the file's text holds. */
  pattern: z.string().max(2_000).optional(),
  /** Regular expression that the file's text does not hold. */
  missingPattern: z.string().max(2_000).optional(),
  /** All of these are there. */
  keys: z.array(z.string().min(1).max(300)).max(100).default([]),
  /** None of these is there. */
  missingKeys: z.array(z.string().min(1).max(300)).max(100).default([]),
  atLeastBytes: z.int().min(0).optional(),
  atMostBytes: z.int().min(0).optional(),
});
/** Building or installing the subject fails. */
export const BuildOracle = z.object({
  kind: z.literal('build'),
  note,
  /** Distribution whose build or installation fails. */
  distribution: z.string().min(1).max(200).optional(),
  /** The error as claimed: `Type: message` or the text of the line; compared after masking numbers, paths and addresses. */
  message: z.string().optional(),
});
