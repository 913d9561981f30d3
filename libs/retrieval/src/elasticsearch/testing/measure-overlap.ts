import type { ChunkIndex, SearchHit } from '@reenact/domain';
import type { TreeSample } from './tree-chunks.js';

const NAME = { repository: 'overlap', revision: 'main' };
const LIMIT = 20;

/** How far two engines agree on the same questions. */
export interface Overlap {
  chunks: number;
  queries: number;
  /** Mean share of the first engine's top 20 that the second's holds: hybrid, and by words alone. */
  hybrid: number;
  lexical: number;
  /** Share of hybrid questions with the same best chunk. */
  sameBest: number;
  /** Least share of a single hybrid question. */
  worst: number;
}

/** Publishes a sample in both engines and asks both the same. */
export async function measureOverlap(sample: TreeSample, first: ChunkIndex, second: ChunkIndex): Promise<Overlap> {
  const searches = [];
  for (const index of [first, second]) {
    await index.publish(NAME, sample.chunks, { embedding: 'projection' });
    const search = await index.open(NAME);
    if (search === null) throw new Error('What was just published is not there.');
    searches.push(search);
  }
  const shares: { hybrid: number[]; lexical: number[] } = { hybrid: [], lexical: [] };
  let sameBest = 0;
  for (const { tokens, vector } of sample.queries) {
    const [hybrid = [], other = []] = await Promise.all(
      searches.map(async (each) => (await each.search({ tokens, vector, limit: LIMIT })).hits),
    );
    shares.hybrid.push(shareOf(hybrid, other));
    if (hybrid[0]?.id === other[0]?.id) sameBest++;
    const words = await Promise.all(searches.map(async (each) => (await each.search({ tokens, vector: null, limit: LIMIT })).hits));
    shares.lexical.push(shareOf(words[0] ?? [], words[1] ?? []));
  }
  for (const search of searches) await search.close();
  const queries = sample.queries.length;
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / queries;
  const { hybrid, lexical } = shares;
  return {
    chunks: sample.chunks.length,
    queries,
    hybrid: mean(hybrid),
    lexical: mean(lexical),
    sameBest: sameBest / queries,
    worst: Math.min(...hybrid),
  };
}

function shareOf(expected: SearchHit[], found: SearchHit[]): number {
  const ids = new Set(found.map(({ id }) => id));
  return expected.filter(({ id }) => ids.has(id)).length / Math.max(1, expected.length);
}
