import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import type { RowContext } from '../row-context.js';
import { times } from '../timings.js';

const BARS = { walk: 0.8, pool: 1.5, records: 0.6 };

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
  for (const [part, measure] of [
    ['walk', 'parse and definition walk, one thread, against CPython ast and visitor'],
    ['records', 'the same with whole chunk records'],
    ['pool', 'whole chunk records, two workers, by the wall clock'],
  ] as const) {
    const ours = await product.parse[part](directory);
    // The same files for both, which skip rules decide.
    const python = await peer.ask<PeerParse>({ do: 'parse', tree: directory, files: ours.files });
    const ratio = part === 'pool' ? python.seconds / ours.seconds : python.cpuSeconds / ours.cpuSeconds;
    const value = `${times(ratio)} (${(ours.bytes / 1e6 / ours.cpuSeconds).toFixed(1)} MB a processor second; ${ours.files.length} files, ${ours.definitions} definitions, CPython ${python.definitions})`;
    const figures = {
      ratio,
      seconds: ours.seconds,
      cpuSeconds: ours.cpuSeconds,
      peerSeconds: python.seconds,
      peerCpuSeconds: python.cpuSeconds,
    };
    lines.push(weighedLine({ ...base, measure, value, bar: `≥ ${BARS[part]}×`, figures }, ratio >= BARS[part]));
  }
  await peer.close();
  return lines;
}
