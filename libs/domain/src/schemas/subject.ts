import { z } from 'zod';

/** How the subject was named: a folder, a git revision or an installed distribution. */
export const SubjectAddress = z.discriminatedUnion('type', [
  z.object({ type: z.literal('folder'), path: z.string() }),
  z.object({ type: z.literal('git'), url: z.string(), revision: z.string().optional() }),
  z.object({ type: z.literal('distribution'), name: z.string(), version: z.string().optional() }),
]);
export type SubjectAddress = z.infer<typeof SubjectAddress>;

/** A frozen copy of the project under test. */
export const Subject = z.object({
  schemaVersion: z.literal(1),
  address: SubjectAddress,
  /** SHA-256 over the sorted (path, mode, file hash) list, hex. */
  treeHash: z.string(),
  revision: z.string().nullable(),
  fileCount: z.int(),
  byteCount: z.int(),
  /** Directories to import from, relative to the tree: `.` and `src` where it exists. */
  importRoots: z.array(z.string()),
  /** What was left out or needs a word: big files, LFS pointers, submodules, links that lead outside. */
  notes: z.array(z.string()),
});
export type Subject = z.infer<typeof Subject>;
