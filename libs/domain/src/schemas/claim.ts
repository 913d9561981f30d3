import { z } from 'zod';
import { Frame, Span } from './common.js';
import { Oracle } from './oracle.js';
import { Stance } from './report.js';

/** One observable symptom that the report claims. It is shown when every oracle of its conjunction is shown. */
export const Facet = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
  /** The symptom in the report's own words. */
  statement: z.string(),
  span: Span.nullable(),
  stance: Stance,
  /** Empty: the rules found a symptom but no check for it; such a facet is `undecided` until a model or a person binds it. */
  oracles: z.array(Oracle),
  /** Which way it can be shown (verdict.md section 4). */
  shownBy: z.enum(['harness', 'measurement']),
  /** Why it has no oracle, or why it is not live. */
  note: z.string().optional(),
});
export type Facet = z.infer<typeof Facet>;

/** The typed reading of a report. */
export const Claim = z.object({
  schemaVersion: z.literal(1),
  title: z.string(),
  /** Digest of the report that it was read from. */
  reportDigest: z.string(),
  facets: z.array(Facet),
  triggers: z.array(z.object({ text: z.string(), span: Span.nullable() })),
  /** Frames that the report claims, deepest last. */
  frames: z.array(Frame),
  /** Names of code that the report speaks of. */
  symbols: z.array(z.string()),
  /** Rate between 0 and 1 that the report's words suggest; 1 where nothing speaks of chance (verdict.md section 6). */
  claimedRate: z.number().gt(0).max(1),
  worldSize: z.int().nullable(),
  environment: z.object({
    python: z.array(z.string()),
    packages: z.array(z.object({ name: z.string(), version: z.string() })),
    goodPackages: z.array(z.object({ name: z.string(), version: z.string() })),
    devices: z.array(z.string()),
  }),
  missing: z.array(z.string()),
  madeBy: z.enum(['rules', 'model', 'person']),
});
export type Claim = z.infer<typeof Claim>;
