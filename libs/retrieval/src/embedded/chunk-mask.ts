import type { ChunkFilter } from '@reenact/domain';
import { passesFileFilter } from '../chunk-filter.js';
import type { Generation } from './generation.js';
import { unpackText } from './packed-text.js';

/** One byte a chunk, 1 where it passes the filter; null where everything does. Each file's path is looked at once. */
export function chunkMask({ sections, shape }: Generation, filter: ChunkFilter | undefined): Uint8Array | null {
  if (filter === undefined || (filter.paths === undefined && filter.kinds === undefined && filter.withoutTests !== true)) return null;
  const paths = { offsets: sections.pathOffsets, bytes: sections.pathBytes };
  const passingFiles = new Uint8Array(sections.pathOffsets.length - 1);
  for (let file = 0; file < passingFiles.length; file++) passingFiles[file] = passesFileFilter(unpackText(paths, file), filter) ? 1 : 0;
  const passingKinds = Uint8Array.from(shape.kinds, (kind) => ((filter.kinds?.some((wanted) => wanted === kind) ?? true) ? 1 : 0));
  const mask = new Uint8Array(shape.chunks);
  for (let chunk = 0; chunk < mask.length; chunk++)
    mask[chunk] = (passingFiles[sections.files[chunk] ?? 0] ?? 0) & (passingKinds[sections.kinds[chunk] ?? 0] ?? 0);
  return mask;
}

/** How many chunks pass a mask, and how many of them have no row. */
export function countChunks({ sections, shape }: Generation, mask: Uint8Array | null): { chunks: number; pending: number } {
  if (mask === null) return { chunks: shape.chunks, pending: shape.chunks - sections.rowChunks.length };
  let chunks = 0;
  for (const passes of mask) chunks += passes;
  let embedded = 0;
  for (const chunk of sections.rowChunks) embedded += mask[chunk] ?? 0;
  return { chunks, pending: chunks - embedded };
}
