import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { renderOverhead, runOverheadBench } from '../bench/run-overhead-bench.js';
import { runVerdictBench } from '../bench/run-verdict-bench.js';
import { renderTable } from '../bench/verdict-items.js';
import { closeRuns, runToVerdict } from '../runs/run-to-verdict.js';
import { chosenPython, withCaseOptions } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { addCoverageBench } from './bench-coverage-command.js';
import { addKillBench } from './bench-kill-command.js';
import { addRetrievalBench } from './bench-retrieval-command.js';
import { addBisectBench, addMinimiseBench } from './bench-search-commands.js';
import { addNullBench, addReplayBench } from './bench-trust-commands.js';
import { contextOf, inSession, withCommon, wholeNumber } from './command-context.js';
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
    .option('--parallel <n>', 'judgements under way at once (default: number of processors)', wholeNumber(1, 64));
  withCommon(withCaseOptions(command), [
    'bench verdict --cases bench/cases --with numpy',
    'bench verdict --cases DIR --python /path/to/python --json',
  ]).action(async (options: BenchOptions) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const python = await chosenPython(context, options);
      const result = await runVerdictBench(
        {
          casesDirectory: path.resolve(context.workingDirectory, options.cases),
          python,
          controlPython: options.controlPython === undefined ? null : path.resolve(context.workingDirectory, options.controlPython),
          concurrency: options.parallel ?? availableParallelism(),
          allowUnsandboxed: options.unsandboxed === true,
        },
        {
          artifacts: session.artifacts,
          judge: (request) => runToVerdict(context.configuration, request, { quiet: true, report: context.report }),
          onItem: (item, done, total) => {
            const mark = item.ok ? 'ok' : item.undecided ? 'undecided' : 'WRONG';
            context.report(`${done}/${total} ${item.case} ${item.script} (${item.project}, ${item.column}): ${item.verdict}, ${mark}`);
          },
        },
      );
      context.console.data(
        context.json ? `${JSON.stringify(result)}\n` : `${result.environment}\n${renderTable(result.items, result.errors)}\n`,
      );
      await closeRuns(context.configuration);
      return result.errors.wrongReproduced + result.errors.wrongMissed + result.errors.rateNotCovered === 0 ? 0 : 10;
    });
  });
}

function addOverheadBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('overhead')
    .description('Time from start to verdict minus the scripts’ own time, per trial, beside bare runs of the same scripts.')
    .option('--most <n>', 'cases to take (default: 5)', wholeNumber(1, 100));
  withCommon(withCaseOptions(command), ['bench overhead --cases bench/cases --with numpy']).action(async (options: BenchOptions) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const result = await runOverheadBench(
        {
          casesDirectory: path.resolve(context.workingDirectory, options.cases),
          python: await chosenPython(context, options),
          most: options.most ?? 5,
          allowUnsandboxed: options.unsandboxed === true,
        },
        {
          artifacts: session.artifacts,
          judge: (request) => runToVerdict(context.configuration, request, { quiet: true, report: context.report }),
          onRow: (row) => context.report(`${row.case}: ${row.overheadPerTrialSeconds} s per trial`),
        },
      );
      context.console.data(context.json ? `${JSON.stringify(result)}\n` : `${renderOverhead(result)}\n`);
      await closeRuns(context.configuration);
      return result.holds ? 0 : 10;
    });
  });
}
