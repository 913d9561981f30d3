import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { clusteredVectors, vectorAt } from '../clustered-vectors.js';
import type { RowContext } from '../row-context.js';
import { openSpeedSet, publishAndOpen } from '../speed-set.js';
import { medianOf, milliseconds, quickest, timed, times } from '../timings.js';

/** Width of MiniLM's vectors. */
export const WIDTH = 384;
const LIMIT = 200;
const MOST_TIMES = 2;
const LEAST_RECALL = 0.98;

/** The vector side alone: all chunks scanned by the product and by numpy's matrix product, and whether they find the same. */
export async function scanRow({ options, product, ground, report }: RowContext): Promise<BenchLine[]> {
  const set = await openSpeedSet(product, ground, { definitions: options.chunks, wanted: options.chunks, sets: ['main'] });
  const vectors = clusteredVectors(set.chunks, WIDTH, { seed: options.seed, stream: 1 });
  const questions = clusteredVectors(options.queries, WIDTH, { seed: options.seed, stream: 2 });
  const file = path.join(await ground.scratch(), 'vectors.f32');
  await writeFile(file, vectors.rows);
  const peer = await ground.startPeer('scan_peer.py');
  const search = await publishAndOpen(product.createEngine(await ground.scratch()), set.each(vectors), true);
  const limit = Math.min(LIMIT, set.chunks);
  const [ours, theirs, recalls, tops]: number[][] = [[], [], [], []] as number[][];
  try {
    await peer.ask({ do: 'load', vectors: file, width: WIDTH });
    for (let question = 0; question < options.queries; question++) {
      const vector = vectorAt(questions, question);
      const { milliseconds: own, answer } = await quickest(() => timed(() => search.search({ tokens: [], vector, limit, alpha: 1 })));
      const exact = await quickest(async () => {
        const { seconds, best } = await peer.ask<{ seconds: number; best: number[] }>({ do: 'search', vector: [...vector], limit });
        return { milliseconds: seconds * 1000, answer: best };
      });
      const found = answer.hits.map(({ id }) => set.rows.get(id));
      const known = new Set(found);
      ours?.push(own);
      theirs?.push(exact.milliseconds);
      recalls?.push(exact.answer.filter((row) => known.has(row)).length / limit);
      tops?.push(exact.answer.slice(0, 20).every((row) => found.slice(0, 20).includes(row)) ? 1 : 0);
    }
  } finally {
    await Promise.all([peer.close(), search.close()]);
  }
  report(`scan: ${options.queries} queries over ${set.chunks} vectors`);
  const ratio = medianOf(ours ?? []) / medianOf(theirs ?? []);
  const recall = mean(recalls ?? []);
  const exactTops = mean(tops ?? []);
  const base = {
    row: 'scan' as const,
    figures: { ratio, recall, exactTops, median: medianOf(ours ?? []), peerMedian: medianOf(theirs ?? []) },
  };
  const size = `${set.chunks} vectors of ${WIDTH}`;
  return [
    weighedLine(
      {
        ...base,
        measure: `top ${limit} of ${size}, against numpy and BLAS`,
        value: `${times(ratio)} (${milliseconds(base.figures.median)}, ${milliseconds(base.figures.peerMedian)})`,
        bar: `≤ ${MOST_TIMES}×`,
      },
      ratio <= MOST_TIMES,
    ),
    weighedLine(
      { ...base, measure: `recall of these ${limit}`, value: recall.toFixed(4), bar: `≥ ${LEAST_RECALL}` },
      recall >= LEAST_RECALL,
    ),
    weighedLine(
      { ...base, measure: 'top 20 the same', value: `${(exactTops * 100).toFixed(1)} % of queries`, bar: 'all' },
      exactTops === 1,
    ),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
