import { z } from 'zod';

export const Distribution = z.object({ name: z.string(), version: z.string() });
export type Distribution = z.infer<typeof Distribution>;

/** A built environment: an interpreter and what is installed beside it. */
export const Environment = z.object({
  schemaVersion: z.literal(1),
  /** Content id over interpreter version, implementation, platform and distributions; equal environments share trials. */
  id: z.string(),
  /** Absolute path of the interpreter on this machine; never part of a bundle's id. */
  interpreter: z.string(),
  pythonVersion: z.string(),
  implementation: z.string(),
  platform: z.string(),
  distributions: z.array(Distribution),
  /** How it came about. */
  source: z.enum(['given', 'built']),
  /** Hash-pinned requirements when built, else `name==version` lines read from the interpreter. */
  lock: z.string(),
  /** What was asked for and not met: each raises the distance. */
  distance: z.array(z.object({ name: z.string(), asked: z.string(), got: z.string().nullable() })),
  cutOffDate: z.string().nullable(),
});
export type Environment = z.infer<typeof Environment>;
