import type { SearchableChunk } from '@reenact/domain';
import { missingLine, weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { longQueries } from '../long-queries.js';
import type { RowContext } from '../row-context.js';
import { isTaken, readChunks } from '../speed-set.js';

const CHUNKS = 15_000;
const QUERIES = 200;
const DEPTH = 20;
const LEAST_OVERLAP = 0.9;
const NAME = { repository: 'bench', revision: 'overlap' };

/** The same chunks with real vectors in a cluster and in the embedded engine: how many of the first twenty are alike. */
export async function clusterRow(context: RowContext): Promise<BenchLine[]> {
  const { options, product, ground, report } = context;
  const measure = `Elasticsearch: top-${DEPTH} overlap with the embedded engine, long queries`;
  const url = options.elasticsearchUrl;
  if (url === null) return [missingLine('cluster', measure, 'no node: name one with --elasticsearch')];
  const embedder = await product.openEmbedder(ground.directory, report).catch((error: Error) => error.message);
  if (typeof embedder === 'string') return [missingLine('cluster', measure, embedder)];
  const cluster = product.createCluster(url);
  try {
    const { chunks, queries } = await embeddedChunks(context, (texts, role) => embedder.embed(texts, role));
    const embedded = product.createEngine(await ground.scratch());
    for (const index of [embedded, cluster]) await index.publish(NAME, chunks, { embedding: 'bench' });
    const [here, there] = [await embedded.open(NAME), await cluster.open(NAME)];
    if (here === null || there === null) throw new Error('an engine does not find what was published');
    const overlaps: number[] = [];
    for (const { tokens, vector } of queries) {
      const known = new Set((await here.search({ tokens, vector, limit: DEPTH })).hits.map(({ id }) => id));
      const found = await there.search({ tokens, vector, limit: DEPTH });
      overlaps.push(found.hits.filter(({ id }) => known.has(id)).length / Math.max(1, known.size));
    }
    await Promise.all([here.close(), there.close()]);
    await cluster.remove(NAME);
    const overlap = overlaps.reduce((sum, value) => sum + value, 0) / Math.max(1, overlaps.length);
    const value = `${overlap.toFixed(3)} on average, ${Math.min(...overlaps).toFixed(2)} at least (${chunks.length} chunks, ${queries.length} queries)`;
    const figures = { overlap, least: Math.min(...overlaps), chunks: chunks.length, queries: queries.length };
    const line = { row: 'cluster' as const, measure, value, bar: `≥ ${LEAST_OVERLAP} over ≥ ${CHUNKS} chunks`, figures };
    return [weighedLine(line, overlap >= LEAST_OVERLAP && chunks.length >= CHUNKS && queries.length >= QUERIES)];
  } finally {
    await Promise.all([embedder.close(), cluster.close()]);
  }
}

async function embeddedChunks(
  { options, product, ground }: RowContext,
  embed: (texts: string[], role: 'query' | 'document') => Promise<Float32Array[]>,
): Promise<{ chunks: SearchableChunk[]; queries: { tokens: string[]; vector: Float32Array | null }[] }> {
  const wanted = Math.min(CHUNKS, options.chunks);
  const layout = await ground.tree(options.chunks, ['main']);
  const tree = await product.openTree(layout.directory, ground.store);
  const all = readChunks(tree);
  const chosen = all.filter((_chunk, place) => isTaken(place, all.length, wanted));
  const vectors = await embed(
    chosen.map(({ text }) => text),
    'document',
  );
  const tokens = longQueries(layout.prose, QUERIES, { seed: options.seed });
  const asked = await embed(
    tokens.map((words) => words.join(' ')),
    'query',
  );
  return {
    chunks: chosen.map((chunk, row) => ({ ...chunk, vector: vectors[row] ?? null })),
    queries: tokens.map((words, place) => ({ tokens: words, vector: asked[place] ?? null })),
  };
}
