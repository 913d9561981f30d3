import type { Command } from 'commander';
import { renderOverhead, runOverheadBench } from '../bench/run-overhead-bench.js';
import { runVerdictBench } from '../bench/run-verdict-bench.js';
import { parseShare, WHOLE } from '../bench/share.js';
import { renderTable } from '../bench/verdict-items.js';
import { withCaseOptions } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { addCoverageBench } from './bench-coverage-command.js';
import { benchAction } from './bench-frame.js';
import { addKillBench } from './bench-kill-command.js';
import { addRetrievalBench } from './bench-retrieval-command.js';
import { addBisectBench, addMinimiseBench } from './bench-search-commands.js';
import { addNullBench, addReplayBench } from './bench-trust-commands.js';
import { withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `bench …`: how right the verdicts are, how often they would be wrong, whether replays agree, what the platform costs, what kills do, how retrieval fares. */
export function addBenchCommand(program: Command, host: CommandHost): void {
  const bench = program
    .command('bench')
    .description(
      'Measure: verdicts against known answers and where no fault is, replays, the cost of the platform, what kills do to it; retrieval beside peers.',
    );
  addVerdictBench(bench, host);
  addNullBench(bench, host);
  addCoverageBench(bench, host);
  addReplayBench(bench, host);
  addMinimiseBench(bench, host);
  addBisectBench(bench, host);
  addOverheadBench(bench, host);
  addKillBench(bench, host);
  addRetrievalBench(bench, host);
}

function addVerdictBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('verdict')
    .description('Judge reference, trap, cheats and honest scripts of every case, on the buggy and the patched project, against the truth.')
    .option('--control-python <path>', 'interpreter in which faults that have no patch are absent')
    .option('--parallel <n>', 'judgements under way at once (default: number of processors)', wholeNumber(1, 64))
    .option('--share <k/n>', 'every n-th case only, beginning with the k-th', parseShare);
  withCommon(withCaseOptions(command), [
    'bench verdict --cases bench/cases --with numpy',
    'bench verdict --cases DIR --python /path/to/python --json',
    'bench verdict --cases DIR --share 1/2',
  ]).action(
    benchAction(host, command, {
      run: ({ context, session, python, casesDirectory, controlPython, pace, judge }, { share = WHOLE }: BenchOptions) =>
        runVerdictBench(
          { casesDirectory, python, controlPython, share, ...pace },
          {
            artifacts: session.artifacts,
            judge,
            onItem: (item, done, total) => {
              const mark = item.ok ? 'ok' : item.undecided ? 'undecided' : 'WRONG';
              context.report(`${done}/${total} ${item.case} ${item.script} (${item.project}, ${item.column}): ${item.verdict}, ${mark}`);
            },
          },
        ),
      render: ({ environment, items, errors }) => `${environment}\n${renderTable(items, errors)}`,
    }),
  );
}

function addOverheadBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('overhead')
    .description('Time from start to verdict minus the scripts’ own time, per trial, beside bare runs of the same scripts.')
    .option('--most <n>', 'cases to take (default: 5)', wholeNumber(1, 100));
  withCommon(withCaseOptions(command), ['bench overhead --cases bench/cases --with numpy']).action(
    benchAction(host, command, {
      run: ({ context, session, python, casesDirectory, pace, judge }, { most = 5 }: BenchOptions) =>
        runOverheadBench(
          { casesDirectory, python, most, allowUnsandboxed: pace.allowUnsandboxed },
          {
            artifacts: session.artifacts,
            judge,
            onRow: (row) => context.report(`${row.case}: ${row.overheadPerTrialSeconds} s per trial`),
          },
        ),
      render: renderOverhead,
    }),
  );
}
