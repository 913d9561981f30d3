import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { runFolderPath } from '@reenact/store';
import { openRowLog } from '../bench/row-log.js';
import { renderNull, runNullBench } from '../bench/run-null-bench.js';
import type { NullRow } from '../bench/run-null-bench.js';
import { renderReplays, runReplayBench } from '../bench/run-replay-bench.js';
import type { ReplayRow } from '../bench/run-replay-bench.js';
import { buildReplayDraft } from '../requests/replay-draft.js';
import { closeRuns, runToVerdict } from '../runs/run-to-verdict.js';
import { chosenPython, withCaseOptions, withResume } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { contextOf, inSession, withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `bench null`: judgements where the fault is not. */
export function addNullBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('null')
    .description('Judge where the fault is not (patched projects, traps, the whole pipeline) and bound the share of wrong verdicts.')
    .option('--parallel <n>', 'judgements under way at once (default: number of processors)', wholeNumber(1, 64));
  withCommon(withResume(withCaseOptions(command)), ['bench null --cases bench/cases --with numpy']).action(
    async (options: BenchOptions) => {
      const context = contextOf(host, command);
      host.exitStatus = await inSession(context, async (session) => {
        const asked = {
          casesDirectory: path.resolve(context.workingDirectory, options.cases),
          python: await chosenPython(context, options),
        };
        const log = await openRowLog<NullRow>(
          context.configuration.stateDirectory,
          { bench: 'null', ...asked },
          { resume: options.resume === true },
        );
        const result = await runNullBench(
          {
            ...asked,
            concurrency: options.parallel ?? availableParallelism(),
            allowUnsandboxed: options.unsandboxed === true,
          },
          {
            artifacts: session.artifacts,
            run: (request) => runToVerdict(context.configuration, request, { quiet: true, report: context.report }),
            log,
            onRow: (row, done, total) =>
              context.report(
                `${done}/${total} ${row.case} ${row.what}, control ${row.control}: ${row.verdict}${row.wrong ? ', WRONG' : ''}`,
              ),
          },
        );
        context.console.data(context.json ? `${JSON.stringify(result)}\n` : `${renderNull(result)}\n`);
        await log.finish();
        await closeRuns(context.configuration);
        return result.holds ? 0 : 10;
      });
    },
  );
}

/** `bench replay`: whether replays of bundles agree. */
export function addReplayBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('replay')
    .description(
      'Make bundles of scripts that show the fault, replay each several times with fresh trials, and count the pairs that agree.',
    )
    .option('--bundles <n>', 'bundles to make (default: 20)', wholeNumber(1, 1_000))
    .option('--times <n>', 'replays of each (default: 3)', wholeNumber(1, 100))
    .option('--parallel <n>', 'bundles under way at once (default: number of processors)', wholeNumber(1, 64));
  withCommon(withResume(withCaseOptions(command)), ['bench replay --cases bench/cases --with numpy']).action(
    async (options: BenchOptions & { bundles?: number; times?: number }) => {
      const context = contextOf(host, command);
      host.exitStatus = await inSession(context, async (session) => {
        const asked = {
          casesDirectory: path.resolve(context.workingDirectory, options.cases),
          python: await chosenPython(context, options),
          bundles: options.bundles ?? 20,
          times: options.times ?? 3,
        };
        const log = await openRowLog<ReplayRow>(
          context.configuration.stateDirectory,
          { bench: 'replay', ...asked },
          { resume: options.resume === true },
        );
        const result = await runReplayBench(
          {
            ...asked,
            concurrency: options.parallel ?? availableParallelism(),
            allowUnsandboxed: options.unsandboxed === true,
          },
          {
            artifacts: session.artifacts,
            run: (request) => runToVerdict(context.configuration, request, { quiet: true, report: context.report }),
            draft: (bundle) => buildReplayDraft(session, bundle, { with: [] }, context.workingDirectory),
            log,
            folderOf: (runId) => runFolderPath(context.configuration.stateDirectory, runId),
            onRow: (row, done, total) =>
              context.report(`${done}/${total} ${row.case} ${row.script}: ${row.agreeing} of ${row.pairs} pairs agree`),
          },
        );
        context.console.data(context.json ? `${JSON.stringify(result)}\n` : `${renderReplays(result)}\n`);
        await log.finish();
        await closeRuns(context.configuration);
        return result.holds ? 0 : 10;
      });
    },
  );
}
