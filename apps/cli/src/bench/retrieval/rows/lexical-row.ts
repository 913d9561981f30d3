import { readFile } from 'node:fs/promises';
import type { ChunkSearch } from '@reenact/domain';
import { missingLine, weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { buildFullText } from '../full-text-peer.js';
import { longQueries } from '../long-queries.js';
import type { RowContext } from '../row-context.js';
import { openSpeedSet, publishAndOpen } from '../speed-set.js';
import type { SpeedSet } from '../speed-set.js';
import { medianOf, milliseconds, percentile, quickest, timed, times } from '../timings.js';

/** Best chunks asked for. */
const LIMIT = 200;
/** Times that the product must be faster; null = told only. */
const PEERS = [
  { name: 'rank_bm25', bar: 100 },
  { name: 'bm25s', bar: null },
  { name: 'SQLite FTS5', bar: 30 },
  { name: 'LanceDB', bar: 4 },
] as const;
type PeerName = (typeof PEERS)[number]['name'];

/** Milliseconds that a peer takes for a query; the rows it finds, best first. */
interface LexicalPeer {
  search(tokens: string[]): Promise<{ milliseconds: number; answer: number[] }>;
  close(): Promise<void>;
}

/** A bug report as a query over all chunks: the product beside each peer on the same tokens, query by query in turn. */
export async function lexicalRow(context: RowContext): Promise<BenchLine[]> {
  const { options, product, ground } = context;
  const set = await openSpeedSet(product, ground, { definitions: options.chunks, wanted: options.chunks, sets: ['main'] });
  const { prose } = await ground.tree(options.chunks, ['main']);
  const queries = longQueries(prose, options.queries, { seed: options.seed });
  const search = await publishAndOpen(product.createEngine(await ground.scratch()), set.each(null), false);
  const lines: BenchLine[] = [];
  for (const { name, bar } of PEERS) {
    const measure = `BM25, query of 117 terms, ${set.chunks} chunks, against ${name}`;
    const peer = await startPeer(name, set, context).catch((error: Error) => error);
    if (peer instanceof Error) {
      lines.push(missingLine('lexical', measure, peer.message));
      continue;
    }
    lines.push(await comparePeer({ measure, bar, set, search }, peer, queries).finally(() => peer.close()));
  }
  await search.close();
  return lines;
}

async function comparePeer(
  { measure, bar, set, search }: { measure: string; bar: number | null; set: SpeedSet; search: ChunkSearch },
  peer: LexicalPeer,
  queries: string[][],
): Promise<BenchLine> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const overlaps: number[] = [];
  for (const tokens of queries) {
    const { milliseconds: own, answer } = await quickest(() => timed(() => search.search({ tokens, vector: null, limit: LIMIT })));
    const found = await quickest(() => peer.search(tokens));
    ours.push(own);
    theirs.push(found.milliseconds);
    const top = new Set(answer.hits.slice(0, 20).map(({ id }) => set.rows.get(id)));
    overlaps.push(found.answer.slice(0, 20).filter((row) => top.has(row)).length / 20);
  }
  const ratio = medianOf(theirs) / medianOf(ours);
  const line = {
    row: 'lexical' as const,
    measure,
    value: `${times(ratio)} (${milliseconds(medianOf(ours))}, ${milliseconds(medianOf(theirs))}; ${(medianOf(overlaps) * 100).toFixed(0)} % of the top 20 alike)`,
    bar: bar === null ? '' : `≥ ${bar}×`,
    figures: { ratio, median: medianOf(ours), p95: percentile(ours, 0.95), peerMedian: medianOf(theirs), queries: queries.length },
  };
  return bar === null ? { ...line, mark: 'told' } : weighedLine(line, ratio >= bar);
}

async function startPeer(name: PeerName, set: SpeedSet, { ground, report }: RowContext): Promise<LexicalPeer> {
  report(`lexical: ${name} builds`);
  if (name === 'SQLite FTS5') {
    const peer = buildFullText((await readFile(set.tokensFile, 'utf8')).trimEnd().split('\n'));
    return {
      search: (tokens) => timed(() => peer.search(tokens, LIMIT)),
      close: async () => peer.close(),
    };
  }
  const peer = await ground.startPeer('lexical_peer.py', name === 'LanceDB' ? 'lancedb' : name);
  await peer.ask({ do: 'build', tokens: set.tokensFile }).catch(async (error: unknown) => {
    await peer.close();
    throw error;
  });
  return {
    async search(tokens) {
      const { seconds, best } = await peer.ask<{ seconds: number; best: number[] }>({ do: 'search', tokens, limit: LIMIT });
      return { milliseconds: seconds * 1000, answer: best };
    },
    async close() {
      await peer.ask({ do: 'close' });
      await peer.close();
    },
  };
}
