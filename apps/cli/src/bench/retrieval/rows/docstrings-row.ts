import path from 'node:path';
import { tokenise } from '@reenact/code-index';
import type { ChunkPlace, ChunkSearch, SearchableChunk } from '@reenact/domain';
import type { DocstringQuery } from '../bench-ground.js';
import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { describeRate, discordant, hitRate, meanReciprocalRank } from '../hit-rate.js';
import type { RowContext } from '../row-context.js';
import { publishAndOpen, readChunks, writeTokens } from '../speed-set.js';

/** Depth at which a function counts as found. */
export const DEPTH = 20;
/** Splitting identifiers must bring so many times the hits of whole ones. */
const LEAST_GAIN = 1.5;

/** Docstrings as queries for their functions: our tokens, whole identifiers, and bm25s over our tokens. */
export async function docstringsRow({ options, product, ground, report }: RowContext): Promise<BenchLine[]> {
  const layout = await ground.tree(options.chunks, ['main']);
  const tree = await product.openTree(layout.directory, ground.store);
  const chunks = readChunks(tree);
  const inside = queriesInside(layout.queries, chunks);
  const queries = inside.slice(0, options.docstrings);
  const split = await placesOf(product.createEngine(await ground.scratch()), chunks, { queries, words: tokenise });
  report(`docstrings: ${inside.length} of ${layout.queries.length} queries have their function among the ${chunks.length} chunks`);
  const whole = await placesOf(product.createEngine(await ground.scratch()), chunks.map(withWholeTokens), { queries, words: wholeTokens });
  const tokensFile = path.join(await ground.scratch(), 'tokens.txt');
  await writeTokens(tokensFile, chunks);
  const peer = await peerPlaces(await ground.startPeer('lexical_peer.py', 'bm25s'), tokensFile, { queries, chunks });
  const [ours, plain, theirs] = [hitRate(split, DEPTH), hitRate(whole, DEPTH), hitRate(peer, DEPTH)];
  const apart = discordant(split, peer, DEPTH);
  const base = { row: 'docstrings' as const, figures: { hits: ours.hits, total: ours.total, mrr: meanReciprocalRank(split) } };
  const size = `docstring → function, ${queries.length} queries, ${chunks.length} chunks`;
  return [
    weighedLine(
      {
        ...base,
        measure: `${size}: lexical hit@20 against whole identifiers`,
        value: `${describeRate(ours)} against ${describeRate(plain)}: ${(ours.share / plain.share).toFixed(2)}×; MRR ${meanReciprocalRank(split).toFixed(3)} and ${meanReciprocalRank(whole).toFixed(3)}`,
        bar: `≥ ${LEAST_GAIN}×`,
      },
      ours.share >= LEAST_GAIN * plain.share && ours.hits > 0,
    ),
    weighedLine(
      {
        ...base,
        measure: 'the same against bm25s on the same tokens',
        value: `${describeRate(ours)} against ${describeRate(theirs)}; ${apart.left} found here alone, ${apart.right} there alone`,
        bar: 'not below',
      },
      ours.hits >= theirs.hits,
    ),
  ];
}

/** Queries whose function is in the index: what skip rules leave out, no ranking finds. */
export function queriesInside(queries: readonly DocstringQuery[], chunks: readonly ChunkPlace[]): DocstringQuery[] {
  const known = new Set(chunks.map(({ file, name }) => `${file} ${name}`));
  return queries.filter(({ file, name }) => known.has(`${file} ${name}`));
}

/** Place of each query's function among the best, from 0; -1 where it is not among them. */
async function placesOf(
  engine: Parameters<typeof publishAndOpen>[0],
  chunks: readonly SearchableChunk[],
  { queries, words }: { queries: readonly DocstringQuery[]; words: (text: string) => string[] },
): Promise<number[]> {
  const search: ChunkSearch = await publishAndOpen(engine, chunks, false);
  const places: number[] = [];
  for (const query of queries) {
    const { hits } = await search.search({ tokens: words(query.text), vector: null, limit: DEPTH });
    places.push(placeOf(query, hits));
  }
  await search.close();
  return places;
}

/** Place of a query's function; a function cut into parts is found with any of them. */
export function placeOf(query: DocstringQuery, hits: readonly Pick<ChunkPlace, 'file' | 'name'>[]): number {
  return hits.findIndex(({ file, name }) => file === query.file && name === query.name);
}

async function peerPlaces(
  peer: Awaited<ReturnType<RowContext['ground']['startPeer']>>,
  tokensFile: string,
  { queries, chunks }: { queries: readonly DocstringQuery[]; chunks: readonly SearchableChunk[] },
): Promise<number[]> {
  try {
    await peer.ask({ do: 'build', tokens: tokensFile });
    const places: number[] = [];
    for (const query of queries) {
      const { best } = await peer.ask<{ best: number[] }>({ do: 'search', tokens: tokenise(query.text), limit: DEPTH });
      places.push(
        placeOf(
          query,
          best.flatMap((row) => chunks[row] ?? []),
        ),
      );
    }
    return places;
  } finally {
    await peer.close();
  }
}

/** Identifiers as they stand, lower-case: what a search without splitting sees. */
export function wholeTokens(text: string): string[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}_]+/gu), ([word]) => word.toLowerCase()).filter((word) => word.length <= 64);
}

function withWholeTokens(chunk: SearchableChunk): SearchableChunk {
  const name = chunk.tokens.name.length === 0 ? [] : wholeTokens(chunk.name);
  return { ...chunk, tokens: { text: wholeTokens(chunk.text), name, path: wholeTokens(chunk.file) } };
}
