import { buildCodeIndex, searchableIndex, tokenise } from '@reenact/code-index';
import type { SearchableChunk } from '@reenact/domain';
import { projectTokens } from './project-tokens.js';

const DOCSTRING = /"""([^"]{80,4000})"""/;

/** Real code for comparing engines: chunks with vectors, and long queries. */
export interface TreeSample {
  chunks: SearchableChunk[];
  queries: { tokens: string[]; vector: Float32Array }[];
}

/**
 * The chunks of a tree, and its longest docstrings as queries. Vectors are random projections of the weighted words (no model is
 * needed): chunks with like words lie near each other, as real ones do.
 */
export async function sampleTree(directory: string, options: { dimensions: number; queries: number }): Promise<TreeSample> {
  const chunks = searchableIndex(await buildCodeIndex(directory));
  const holding = new Map<string, number>();
  for (const { tokens } of chunks) for (const token of new Set(tokens.text)) holding.set(token, (holding.get(token) ?? 0) + 1);
  const weigh = (token: string): number => Math.log(1 + chunks.length / (holding.get(token) ?? 1));
  const embed = (words: string[]): Float32Array => projectTokens(words, weigh, options.dimensions);
  const docstrings = chunks.flatMap(({ text }) => DOCSTRING.exec(text)?.[1] ?? []).map(tokenise);
  const longest = docstrings.sort((left, right) => right.length - left.length).slice(0, options.queries);
  return {
    chunks: chunks.map((chunk) => ({ ...chunk, vector: embed([...chunk.tokens.text, ...chunk.tokens.name, ...chunk.tokens.path]) })),
    queries: longest.map((words) => ({ tokens: words, vector: embed(words) })),
  };
}
