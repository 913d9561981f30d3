import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { openGround } from '../bench/retrieval/bench-ground.js';
import { RETRIEVAL_ROWS } from '../bench/retrieval/bench-row.js';
import type { RetrievalRow } from '../bench/retrieval/bench-row.js';
import { product } from '../bench/retrieval/product.js';
import type { RetrievalBenchOptions } from '../bench/retrieval/row-context.js';
import { renderRetrieval, runRetrievalBench } from '../bench/retrieval/run-retrieval-bench.js';
import { chosenPython } from './bench-case-options.js';
import { tellResult } from './bench-frame.js';
import { contextOf, withCommon, wholeNumber } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';

/** Sizes are given to the bench as they are; the rest is resolved first. */
interface RetrievalOptions extends Omit<RetrievalBenchOptions, 'elasticsearchUrl' | 'casesDirectory'> {
  only: RetrievalRow[];
  corpus?: string;
  cases?: string;
  elasticsearch?: string;
  peers?: string;
  python?: string;
}

/** `bench retrieval`: index and search beside peers that run in the same minutes on the same machine. */
export function addRetrievalBench(bench: Command, host: CommandHost): void {
  const most = 10_000_000;
  const command = bench
    .command('retrieval')
    .description('Measure index and search beside peers on the same code: speed, what is found, what a change costs.')
    .option('--only <row>', `one row (repeatable): ${RETRIEVAL_ROWS.join(', ')}`, collectRow, [])
    .option('--chunks <n>', 'chunks of the main size; the bars are meant for the default', wholeNumber(100, most), 50_000)
    .option('--large-chunks <n>', 'chunks of the large size; 0 leaves it out', wholeNumber(0, most), 200_000)
    .option('--dense-chunks <n>', 'chunks that get vectors by real weights', wholeNumber(100, most), 10_000)
    .option('--docstrings <n>', 'docstring queries at most', wholeNumber(1, most), 1_500)
    .option('--queries <n>', 'long queries that are timed', wholeNumber(2, 10_000), 20)
    .option('--seed <n>', 'the same seed gives the same queries and vectors', wholeNumber(0, 4_294), 1)
    .option('--corpus <dir>', 'folder for corpora and trees (default: below the state directory); fetched where they are missing')
    .option('--cases <dir>', 'cases for the row of reports: report.md, project/, truth.json')
    .option('--elasticsearch <url>', 'running node for the row of the cluster')
    .option('--peers <path>', 'interpreter that has the peers (default: an environment is built)')
    .option('--python <path>', 'interpreter for the scripts (default: python3 on PATH)');
  withCommon(command, [
    'bench retrieval',
    'bench retrieval --only lexical --chunks 10000',
    'bench retrieval --cases bench/cases --json',
  ]).action(async (options: RetrievalOptions) => {
    const context = contextOf(host, command);
    const result = await benchIn(context, options);
    tellResult(context, result, renderRetrieval);
    host.exitStatus = result.holds ? 0 : 10;
  });
}

async function benchIn(context: CommandContext, options: RetrievalOptions): Promise<Awaited<ReturnType<typeof runRetrievalBench>>> {
  const { configuration, report, workingDirectory } = context;
  const under = (place: string): string => path.resolve(workingDirectory, place);
  const ground = await openGround({
    directory: options.corpus === undefined ? path.join(configuration.stateDirectory, 'bench', 'retrieval') : under(options.corpus),
    python: await chosenPython(context, { ...(options.python === undefined ? {} : { python: options.python }), with: [] }),
    peersPython: async (requirements) =>
      options.peers === undefined ? chosenPython(context, { with: requirements }) : under(options.peers),
    environment: { PATH: configuration.searchPath, HOME: configuration.stateDirectory },
    report,
  });
  try {
    const { only, cases, elasticsearch = null, ...sizes } = options;
    const casesDirectory = cases === undefined ? null : under(cases);
    return await runRetrievalBench(
      only,
      { options: { ...sizes, casesDirectory, elasticsearchUrl: elasticsearch }, product, ground, report },
      (line) => report(`${line.row}: ${line.measure}: ${line.value}${line.mark === 'told' ? '' : ` (${line.mark})`}`),
    );
  } finally {
    await ground.close();
  }
}

function collectRow(value: string, previous: RetrievalRow[]): RetrievalRow[] {
  const row = RETRIEVAL_ROWS.find((name) => name === value);
  if (row === undefined) throw new InvalidArgumentError(`there is no row ${value}; there are: ${RETRIEVAL_ROWS.join(', ')}.`);
  return [...previous, row];
}
