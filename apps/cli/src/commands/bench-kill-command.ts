import path from 'node:path';
import type { Command } from 'commander';
import { AppError } from '@reenact/domain';
import { findInterpreter } from '@reenact/environment';
import { renderKillBench, runKillBench } from '../bench/run-kill-bench.js';
import { tellResult } from './bench-frame.js';
import { contextOf, withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

const DEFAULT_POINTS = 30;

/** `bench kill`: kills command, worker and server over and over, and looks whether anything is lost or said twice. */
export function addKillBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('kill')
    .description('Kill command, worker and server at points spread over a run; nothing may be lost, contradictory or left behind.')
    .option('--points <n>', `kills (default: ${DEFAULT_POINTS})`, wholeNumber(1, 1000))
    .option('--seed <n>', 'the same seed gives the same points (default: by the clock)', wholeNumber(0, 4_294_967_295))
    .option('--python <path>', 'interpreter of the trials (default: python3 on PATH)')
    .option('--unsandboxed', 'run even where this system allows no isolation');
  withCommon(command, ['bench kill', 'bench kill --points 6 --seed 1 --json']).action(
    async (options: { points?: number; seed?: number; python?: string; unsandboxed?: boolean }) => {
      const context = contextOf(host, command);
      const python = await findInterpreter(options.python ?? 'python3', context.configuration.searchPath);
      if (python === null)
        throw new AppError('interpreter-not-found', `No interpreter ${options.python ?? 'python3'} was found.`, {
          hint: 'Name one with --python PATH.',
        });
      const result = await runKillBench(context.configuration, {
        points: options.points ?? DEFAULT_POINTS,
        seed: options.seed ?? Date.now() % 4_294_967_296,
        python: path.resolve(context.workingDirectory, python),
        allowUnsandboxed: options.unsandboxed === true,
        report: context.report,
        onRow: (row) => {
          const faults = [...row.lost, ...row.contradictory, ...row.leftBehind];
          context.report(
            `point ${row.point}: ${row.target} killed in phase ${row.phase}, verdict after ${row.recoveredSeconds} s${faults.length === 0 ? '' : `; ✖ ${faults.join('; ')}`}`,
          );
        },
      });
      tellResult(context, result, renderKillBench);
      host.exitStatus = result.holds ? 0 : 10;
    },
  );
}
