import path from 'node:path';
import { tokenise } from '@reenact/code-index';
import { missingLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { describeRate, hitRate } from '../hit-rate.js';
import { placeReports } from '../report-cases.js';
import type { PlacedReport } from '../report-cases.js';
import type { RowContext } from '../row-context.js';
import { publishAndOpen } from '../speed-set.js';

const DEPTH = 5;
/** Chunks that are looked at for the first files. */
const LIMIT = 200;

/** Bug reports of the cases, their projects inside a large tree: whether the faulty file is among the first five. */
export async function reportsRow(context: RowContext): Promise<BenchLine[]> {
  const { options, product, ground, report } = context;
  const measure = 'report → faulty file, hit@5';
  if (options.casesDirectory === null) return [missingLine('reports', measure, 'no cases: name a folder with --cases')];
  const layout = await ground.tree(options.chunks, ['main']);
  const directory = path.join(await ground.scratch(), 'tree');
  const placed = await placeReports(options.casesDirectory, layout.directory, directory);
  report(`reports: the projects of ${placed.length} cases inside a tree of ${layout.files} files`);
  const ways: [string, (one: PlacedReport) => Promise<string[]>, () => Promise<void>][] = [];
  const peer = await ground.startPeer('paper_peer.py');
  await peer.ask({ do: 'build', tree: directory });
  ways.push([
    'as RepGen publishes it, without its encoder',
    async (one) => (await peer.ask<{ files: string[] }>({ do: 'search', text: one.report, limit: DEPTH })).files,
    () => peer.close(),
  ]);
  const tree = await product.openTree(directory, await ground.scratch());
  const search = await publishAndOpen(product.createEngine(await ground.scratch()), tree.searchable(), false);
  tree.close();
  ways.push([
    'the whole report as a query, our BM25',
    async (one) => firstFiles((await search.search({ tokens: tokenise(one.report), vector: null, limit: LIMIT })).hits),
    () => search.close(),
  ]);
  const contexts = product.openContexts(directory, await ground.scratch());
  ways.push(['files of the first context', (one) => contexts(one.report), async () => undefined]);
  const lines: BenchLine[] = [];
  for (const [name, ask, close] of ways) {
    const places: number[] = [];
    for (const one of placed) places.push((await ask(one)).indexOf(one.file));
    await close();
    const rate = hitRate(places, DEPTH);
    const missed = placed.filter((_one, place) => (places[place] ?? -1) < 0 || places[place]! >= DEPTH).map(({ id }) => id);
    report(`reports: ${name}: missed ${missed.join(', ') || 'none'}`);
    const figures = { hits: rate.hits, total: rate.total, files: layout.files, first: hitRate(places, 1).hits };
    lines.push({ row: 'reports', measure: `${measure}: ${name}`, value: describeRate(rate), bar: '', mark: 'told', figures });
  }
  return lines;
}

/** Files in the order of their best chunk. */
export function firstFiles(hits: readonly { file: string }[]): string[] {
  return [...new Set(hits.map(({ file }) => file))];
}
