import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import type { RowContext } from '../row-context.js';
import { times } from '../timings.js';

/** What is measured, by which clock, and the bar; the last does more than the peer, which keeps nothing, and is told. */
const PARTS = [
  { part: 'walk', clock: 'cpuSeconds', bar: 0.8, measure: 'parse and definition walk, one thread, against CPython ast and visitor' },
  { part: 'threads', clock: 'seconds', bar: 1.5, measure: 'the same in two threads, by the wall clock' },
  { part: 'records', clock: 'cpuSeconds', bar: 0.6, measure: 'one thread, whole chunk records' },
  { part: 'pool', clock: 'seconds', bar: null, measure: 'two threads, all that is kept: records, tokens, database; by the wall clock' },
] as const;

interface PeerParse {
  bytes: number;
  definitions: number;
  failed: number;
  seconds: number;
  cpuSeconds: number;
}

/** Speed of the parser beside CPython's own on the same files: processor time on one thread, wall time with two workers. */
export async function parseRow({ options, product, ground }: RowContext): Promise<BenchLine[]> {
  const { directory } = await ground.tree(options.chunks, ['main']);
  const base = { row: 'parse' as const };
  const lines: BenchLine[] = [];
  const peer = await ground.startPeer('syntax_peer.py');
  for (const { part, clock, bar, measure } of PARTS) {
    const ours = await product.parse[part](directory);
    // The same files for both, which skip rules decide.
    const python = await peer.ask<PeerParse>({ do: 'parse', tree: directory, files: ours.files });
    const ratio = python[clock] / ours[clock];
    const value = `${times(ratio)} (${(ours.bytes / 1e6 / ours.cpuSeconds).toFixed(1)} MB a processor second; ${ours.files.length} files, ${ours.definitions} definitions, CPython ${python.definitions})`;
    const figures = {
      ratio,
      seconds: ours.seconds,
      cpuSeconds: ours.cpuSeconds,
      peerSeconds: python.seconds,
      peerCpuSeconds: python.cpuSeconds,
    };
    const line = { ...base, measure, value, figures };
    lines.push(bar === null ? { ...line, bar: '', mark: 'told' } : weighedLine({ ...line, bar: `≥ ${bar}×` }, ratio >= bar));
  }
  await peer.close();
  return lines;
}
