import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { longQueries } from '../long-queries.js';
import { runTreeMeasure } from '../measure/run-measure.js';
import type { RowContext } from '../row-context.js';
import { openSpeedSet } from '../speed-set.js';
import { times } from '../timings.js';

const MOST_TIMES = 8;
const MOST_BYTES = 0.8 * 1024 ** 3;

/** From files to the first answer without vectors, beside the time that rank_bm25 needs to build over tokens it is given. */
export async function indexRow({ options, product, ground, report }: RowContext): Promise<BenchLine[]> {
  const layout = await ground.tree(options.chunks, ['main']);
  const query = longQueries(layout.prose, 1, { seed: options.seed })[0] ?? [];
  const ours = await runTreeMeasure(layout.directory, await ground.scratch(), query);
  report(`index: ${ours.files} files, ${ours.chunks} chunks, ${ours.seconds.toFixed(1)} s to the first answer`);
  const set = await openSpeedSet(product, ground, { definitions: options.chunks, wanted: Infinity, sets: ['main'] });
  const peer = await ground.startPeer('lexical_peer.py', 'rank_bm25');
  const built = await peer
    .ask<{ seconds: number; cpuSeconds: number }>({ do: 'build', tokens: set.tokensFile })
    .finally(() => peer.close());
  const ratio = ours.seconds / built.seconds;
  const gibibytes = ours.maxRssBytes / 1024 ** 3;
  const figures = {
    ratio,
    seconds: ours.seconds,
    cpuSeconds: ours.cpuSeconds,
    readSeconds: ours.readSeconds,
    peerSeconds: built.seconds,
    chunks: ours.chunks,
    files: ours.files,
    maxRssBytes: ours.maxRssBytes,
  };
  const base = { row: 'index' as const, figures };
  return [
    weighedLine(
      {
        ...base,
        measure: `${ours.chunks} chunks without vectors, files to first answer, beside rank_bm25’s build alone`,
        value: `${times(ratio)} (${ours.seconds.toFixed(1)} s, ${built.seconds.toFixed(1)} s)`,
        bar: `≤ ${MOST_TIMES}×`,
      },
      ratio <= MOST_TIMES && ours.hits > 0,
    ),
    weighedLine(
      { ...base, measure: 'peak memory of that', value: `${gibibytes.toFixed(2)} GiB`, bar: '≤ 0.8 GiB' },
      ours.maxRssBytes <= MOST_BYTES,
    ),
  ];
}
