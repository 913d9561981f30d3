import { tokenise } from '@reenact/code-index';
import { missingLine, weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { describeRate, discordant, hitRate } from '../hit-rate.js';
import type { RowContext } from '../row-context.js';
import { publishAndOpen, readChunks } from '../speed-set.js';
import { DEPTH, placeOf, queriesInside } from './docstrings-row.js';

/** How far hybrid search may lie below lexical search. */
const MOST_LOSS = 0.01;

/** Docstring → function by the whole formula with real weights, beside lexical search over the same chunks. */
export async function denseRow({ options, product, ground, report }: RowContext): Promise<BenchLine[]> {
  const measure = `docstring → function: hybrid with MiniLM, hit@20 beside lexical`;
  const embedder = await product.openEmbedder(ground.directory, report).catch((error: Error) => error.message);
  if (typeof embedder === 'string') return [missingLine('dense', measure, embedder)];
  try {
    const layout = await ground.tree(options.denseChunks, ['main']);
    const tree = await product.openTree(layout.directory, ground.store);
    const chunks = readChunks(tree);
    const queries = queriesInside(layout.queries, chunks).slice(0, options.docstrings);
    const vectors = await embedder.embed(
      chunks.map(({ text }) => text),
      'document',
    );
    const asked = await embedder.embed(
      queries.map(({ text }) => text),
      'query',
    );
    const withVectors = chunks.map((chunk, row) => ({ ...chunk, vector: vectors[row] ?? null }));
    const search = await publishAndOpen(product.createEngine(await ground.scratch()), withVectors, true);
    const [lexical, hybrid, dense]: [number[], number[], number[]] = [[], [], []];
    for (const [place, query] of queries.entries()) {
      const tokens = tokenise(query.text);
      const vector = asked[place] ?? null;
      lexical.push(placeOf(query, (await search.search({ tokens, vector: null, limit: DEPTH })).hits));
      hybrid.push(placeOf(query, (await search.search({ tokens, vector, limit: DEPTH })).hits));
      dense.push(placeOf(query, (await search.search({ tokens, vector, limit: DEPTH, alpha: 1 })).hits));
    }
    await search.close();
    const [rate, plain, alone] = [hitRate(hybrid, DEPTH), hitRate(lexical, DEPTH), hitRate(dense, DEPTH)];
    const apart = discordant(hybrid, lexical, DEPTH);
    const value = `${describeRate(rate)} against ${describeRate(plain)}: ${(rate.share - plain.share).toFixed(3)} (${apart.left} found by it alone, ${apart.right} lost); vectors alone ${describeRate(alone)}`;
    const figures = { hybrid: rate.share, lexical: plain.share, dense: alone.share, chunks: chunks.length, queries: queries.length };
    const line = {
      row: 'dense' as const,
      measure: `${measure}, ${chunks.length} chunks`,
      value,
      bar: `not below lexical − ${MOST_LOSS}`,
      figures,
    };
    return [weighedLine(line, rate.share >= plain.share - MOST_LOSS)];
  } finally {
    await embedder.close();
  }
}
