import { createHash } from 'node:crypto';
import type { Chunk } from '@reenact/code-index';
import { tokenise } from '@reenact/code-index';
import type { ChunkKind, SearchableChunk } from '@reenact/domain';

/** Runs and windows have no name of their own; their module's is in the path already. */
const NAMELESS = new Set<ChunkKind>(['run', 'window', 'cell']);

/** A chunk with its tokens, as engines take it; not embedded. */
export function searchableChunk({ file, kind, name, startLine, endLine, text }: Chunk): SearchableChunk {
  const id = createHash('sha256')
    .update(JSON.stringify([file, startLine, endLine, text]))
    .digest('hex');
  const tokens = { text: tokenise(text), name: NAMELESS.has(kind) ? [] : tokenise(name), path: tokenise(file) };
  return { id, file, kind, name, startLine, endLine, text, tokens, vector: null };
}
