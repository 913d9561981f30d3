import type { ChunkPlace, SearchableChunk } from '@reenact/domain';
import type { CodeIndex } from '../assemble-index.js';
import { tokensOfRow } from './forward-record.js';
import type { ParsedFile } from './parsed-file.js';

/** The chunks of a file as engines take them, without vectors. */
export function searchableChunks({ chunks, tokens }: Pick<ParsedFile, 'chunks' | 'tokens'>): SearchableChunk[] {
  const path = tokensOfRow(tokens, tokens.path, 0);
  return chunks.map(({ id, file, kind, name, startLine, endLine, text }, row) => {
    const own = { text: tokensOfRow(tokens, tokens.text, row), name: tokensOfRow(tokens, tokens.name, row), path };
    return { id, file, kind, name, startLine, endLine, text, tokens: own, vector: null };
  });
}

/** The same of a stored file: `read` brings the rest when the first text or tokens are asked for, and is asked once. */
export function storedChunks(places: readonly ChunkPlace[], read: () => Pick<ParsedFile, 'chunks' | 'tokens'>): SearchableChunk[] {
  let whole: SearchableChunk[] | null = null;
  const rest = (row: number): SearchableChunk => (whole ??= searchableChunks(read()))[row]!;
  return places.map(({ id, file, kind, name, startLine, endLine }, row) => ({
    ...{ id, file, kind, name, startLine, endLine, vector: null },
    get text() {
      return rest(row).text;
    },
    get tokens() {
      return rest(row).tokens;
    },
  }));
}

/** The same for a whole index, in the order of its chunks. */
export function searchableIndex({ chunks, tokens }: Pick<CodeIndex, 'chunks' | 'tokens'>): SearchableChunk[] {
  return [...Map.groupBy(chunks, ({ file }) => file)].flatMap(([file, own]) => {
    const record = tokens.get(file);
    return record === undefined ? [] : searchableChunks({ chunks: own, tokens: record });
  });
}
