import type { SearchableChunk } from '@reenact/domain';
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

/** The same for a whole index, in the order of its chunks. */
export function searchableIndex({ chunks, tokens }: Pick<CodeIndex, 'chunks' | 'tokens'>): SearchableChunk[] {
  return [...Map.groupBy(chunks, ({ file }) => file)].flatMap(([file, own]) => {
    const record = tokens.get(file);
    return record === undefined ? [] : searchableChunks({ chunks: own, tokens: record });
  });
}
