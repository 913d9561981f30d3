import type { Command } from 'commander';
import { renderCoverage, runCoverageBench } from '../bench/run-coverage-bench.js';
import { tellResult } from './bench-frame.js';
import { contextOf, withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `bench coverage`: whether the published interval of a flaky fault holds its rate. Nothing is run but planner and judge. */
export function addCoverageBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('coverage')
    .description('Simulate verdicts on flaky faults of known rates, and count how often the published interval holds the rate.')
    .option('--verdicts <n>', 'simulated verdicts a row', wholeNumber(1, 1_000_000), 1_000)
    .option('--seed <n>', 'the same seed gives the same figures', wholeNumber(0, 4_294), 1);
  withCommon(command, ['bench coverage', 'bench coverage --verdicts 5000 --seed 2 --json']).action(
    (options: { verdicts: number; seed: number }) => {
      const context = contextOf(host, command);
      const result = runCoverageBench({
        ...options,
        onRow: (row) => context.report(`${row.design}, rate ${row.rate}: ${row.covered} of ${row.verdicts} verdicts cover it`),
      });
      tellResult(context, result, renderCoverage);
      host.exitStatus = result.holds ? 0 : 10;
    },
  );
}
