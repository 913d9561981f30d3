import { expect, it } from 'vitest';
import { countTokens } from './forward-record.js';
import type { IndexedChunk } from './parsed-file.js';
import { searchableChunks, storedChunks } from './searchable-chunks.js';

const CHUNKS = ['first', 'second'].map((name, place): IndexedChunk => {
  const span = { startLine: 1 + 2 * place, endLine: 2 + 2 * place };
  return {
    file: 'a/model.py',
    kind: 'function',
    name,
    ...span,
    text: `def ${name}():\n    return ${name}_loss`,
    quality: 'clean',
    id: `${place}`,
  };
});
const PARSED = { chunks: CHUNKS, tokens: countTokens('a/model.py', CHUNKS) };

it('gives tokens by field, a name’s beside the text’s', () => {
  const [first] = searchableChunks(PARSED);
  expect(first?.tokens.name).toEqual(['first']);
  expect(first?.tokens.path).toEqual(['a', 'model', 'py']);
  expect(first?.tokens.text).toEqual(expect.arrayContaining(['def', 'first', 'first_loss', 'loss']));
});

it('reads a stored file when the first text or tokens are asked for, and once', () => {
  let reads = 0;
  const stored = storedChunks(CHUNKS, () => {
    reads++;
    return PARSED;
  });
  expect(stored.map(({ name, startLine, vector }) => ({ name, startLine, vector }))).toEqual([
    { name: 'first', startLine: 1, vector: null },
    { name: 'second', startLine: 3, vector: null },
  ]);
  expect(reads).toBe(0);
  expect(stored[1]?.text).toBe(CHUNKS[1]?.text);
  expect(stored.map((chunk) => ({ ...chunk }))).toEqual(searchableChunks(PARSED));
  expect(reads).toBe(1);
});
