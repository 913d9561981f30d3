import { z } from 'zod';
import { ScriptFile } from './candidate.js';
import { Launch } from './launch.js';
import { Facet } from './claim.js';
import { Distribution, Environment } from './environment.js';
import { SubjectAddress } from './subject.js';

/** A trial set in which the signal must be absent. */
export const Control = z.discriminatedUnion('kind', [
  /** A patch to the subject, applied with `patch -p1` semantics. */
  z.object({ kind: z.literal('patch'), patch: z.string() }),
  /** Another tree of the subject: a folder or a revision. */
  z.object({ kind: z.literal('tree'), treeHash: z.string(), label: z.string() }),
  /** The same subject in another environment. */
  z.object({ kind: z.literal('environment'), label: z.string(), distributions: z.array(Distribution) }),
  /** The candidate under a condition of which the report says that all is well; `files` replace the script where it is not empty. */
  z.object({ kind: z.literal('trigger'), label: z.string(), launch: Launch, files: z.array(ScriptFile) }),
  /** Suspected functions replaced by versions that are thought to be correct (verdict.md section 7, counter-check c). */
  z.object({ kind: z.literal('sabotage'), label: z.string(), patch: z.string() }),
]);
export type Control = z.infer<typeof Control>;

/** The manifest of a bundle, `bundle.json`. Its id is the SHA-256 over the sorted hashes of the other files. */
export const BundleManifest = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  files: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.int() })),
});
export type BundleManifest = z.infer<typeof BundleManifest>;

/** `subject.json` of a bundle: what was tested, without any path of the machine it came from. */
export const BundleSubject = z.object({
  schemaVersion: z.literal(1),
  /** A folder's own path is left out: only its tree hash says what it was. */
  address: z.union([SubjectAddress, z.object({ type: z.literal('snapshot') })]),
  treeHash: z.string(),
  revision: z.string().nullable(),
  importRoots: z.array(z.string()),
});
export type BundleSubject = z.infer<typeof BundleSubject>;

/** `environment.json` of a bundle: what it ran in; the lock is a file of its own, the interpreter's path is left out. */
export const BundleEnvironment = Environment.omit({ interpreter: true, lock: true });
export type BundleEnvironment = z.infer<typeof BundleEnvironment>;

/** `oracles.json` of a bundle. */
export const BundleOracles = z.object({ schemaVersion: z.literal(1), facets: z.array(Facet), claimedRate: z.number() });
export type BundleOracles = z.infer<typeof BundleOracles>;
/**
 * `measured.json` of a bundle: trials of its last series that showed the whole claim, of all. It lies beside the id, since it is
 * not known when the bundle is frozen; only a published bundle that was reproduced has it.
 */
export const MeasuredRate = z
  .object({ schemaVersion: z.literal(1), shown: z.int().min(1), total: z.int().max(1_000) })
  .refine(({ shown, total }) => shown <= total, 'more trials shown than there were');
export type MeasuredRate = z.infer<typeof MeasuredRate>;
export const BundleControls = z.object({
  schemaVersion: z.literal(1),
  controls: z.array(Control),
  suspects: z.array(z.object({ file: z.string(), function: z.string() })),
});
export type BundleControls = z.infer<typeof BundleControls>;
export { Launch as BundleLaunch };
