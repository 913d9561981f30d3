import type { Command } from 'commander';
import { runFolderPath } from '@reenact/store';
import { renderNull, runNullBench } from '../bench/run-null-bench.js';
import type { NullRow } from '../bench/run-null-bench.js';
import { renderReplays, runReplayBench } from '../bench/run-replay-bench.js';
import type { ReplayRow } from '../bench/run-replay-bench.js';
import { buildReplayDraft } from '../requests/replay-draft.js';
import { withCaseOptions, withResume } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { benchAction } from './bench-frame.js';
import { withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `bench null`: judgements where the fault is not. */
export function addNullBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('null')
    .description('Judge where the fault is not (patched projects, traps, the whole pipeline) and bound the share of wrong verdicts.')
    .option('--parallel <n>', 'judgements under way at once (default: number of processors)', wholeNumber(1, 64));
  withCommon(withResume(withCaseOptions(command)), ['bench null --cases bench/cases --with numpy']).action(
    benchAction(host, command, {
      async run({ context, session, python, casesDirectory, pace, judge, openLog }) {
        const asked = { casesDirectory, python };
        return runNullBench(
          { ...asked, ...pace },
          {
            artifacts: session.artifacts,
            run: judge,
            log: await openLog<NullRow>({ bench: 'null', ...asked }),
            onRow: (row, done, total) =>
              context.report(
                `${done}/${total} ${row.case} ${row.what}, control ${row.control}: ${row.verdict}${row.wrong ? ', WRONG' : ''}`,
              ),
          },
        );
      },
      render: renderNull,
    }),
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
    benchAction(host, command, {
      async run(
        { context, session, python, casesDirectory, pace, judge, openLog },
        { bundles = 20, times = 3 }: BenchOptions & { bundles?: number; times?: number },
      ) {
        const asked = { casesDirectory, python, bundles, times };
        return runReplayBench(
          { ...asked, ...pace },
          {
            artifacts: session.artifacts,
            run: judge,
            draft: (bundle) => buildReplayDraft(session, bundle, { with: [] }, context.workingDirectory),
            log: await openLog<ReplayRow>({ bench: 'replay', ...asked }),
            folderOf: (runId) => runFolderPath(context.configuration.stateDirectory, runId),
            onRow: (row, done, total) =>
              context.report(`${done}/${total} ${row.case} ${row.script}: ${row.agreeing} of ${row.pairs} pairs agree`),
          },
        );
      },
      render: renderReplays,
    }),
  );
}
