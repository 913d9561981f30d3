import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { clusteredVectors, vectorAt } from '../clustered-vectors.js';
import { longQueries } from '../long-queries.js';
import type { RowContext } from '../row-context.js';
import { openSpeedSet, publishAndOpen } from '../speed-set.js';
import { medianOf, milliseconds, percentile, quickest, timed } from '../timings.js';
import { WIDTH } from './scan-row.js';

/** The bars: milliseconds at 50,000 and 200,000 chunks. */
const BARS = [
  { size: 'chunks', sets: ['main'], most: 25 },
  { size: 'largeChunks', sets: ['main', 'large'], most: 80 },
] as const;
/** Queries before the clock counts, so that nothing is compiled in it. */
const WARM = 3;

/** The whole formula over every chunk, long queries: the 95th percentile. */
export async function hybridRow(context: RowContext): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const bar of BARS) {
    if (context.options[bar.size] > 0) lines.push(await hybridLine(context, bar));
  }
  return lines;
}

async function hybridLine(
  { options, product, ground, report }: RowContext,
  { size, sets, most }: (typeof BARS)[number],
): Promise<BenchLine> {
  const wanted = options[size];
  const set = await openSpeedSet(product, ground, { definitions: wanted, wanted, sets });
  const { prose } = await ground.tree(wanted, sets);
  const vectors = clusteredVectors(set.chunks, WIDTH, { seed: options.seed, stream: 1 });
  const questions = clusteredVectors(options.queries + WARM, WIDTH, { seed: options.seed, stream: 3 });
  const queries = longQueries(prose, options.queries + WARM, { seed: options.seed });
  const search = await publishAndOpen(product.createEngine(await ground.scratch()), set.each(vectors), true);
  const spent: number[] = [];
  for (const [place, tokens] of queries.entries()) {
    const { milliseconds: own } = await quickest(() =>
      timed(() => search.search({ tokens, vector: vectorAt(questions, place), limit: 20 })),
    );
    if (place >= WARM) spent.push(own);
  }
  await search.close();
  const p95 = percentile(spent, 0.95);
  report(`hybrid: ${set.chunks} chunks, p95 ${milliseconds(p95)}`);
  const line = {
    row: 'hybrid' as const,
    measure: `exact hybrid over ${set.chunks} chunks, query of 117 terms, p95`,
    value: `${milliseconds(p95)} (median ${milliseconds(medianOf(spent))})`,
    bar: `≤ ${most} ms`,
    figures: { p95, median: medianOf(spent), chunks: set.chunks, queries: spent.length },
  };
  return weighedLine(line, p95 <= most && set.chunks >= wanted);
}
