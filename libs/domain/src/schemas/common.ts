import { z } from 'zod';

/** Half-open range of UTF-16 offsets into the report's text. */
export const Span = z.object({ start: z.int().min(0), end: z.int().min(0) });
export type Span = z.infer<typeof Span>;

/** Content address of a stored artefact: `sha256:` and 64 hex digits. */
export const ContentRef = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export type ContentRef = z.infer<typeof ContentRef>;

/** A value that may appear in an observation, an oracle or a launch variable. */
export const Scalar = z.union([z.number(), z.string(), z.boolean(), z.null()]);
export type Scalar = z.infer<typeof Scalar>;

/** One stack frame, as a report claims it or as the probe saw it; `file` is relative to the subject where it lies in it. */
export const Frame = z.object({
  file: z.string(),
  line: z.int().optional(),
  function: z.string().optional(),
  code: z.string().optional(),
  /** Where the file lies: set by the probe, absent in a report's frames. */
  place: z.enum(['subject', 'dependency', 'script', 'standard-library', 'other']).optional(),
});
export type Frame = z.infer<typeof Frame>;
