import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import type { BisectRequest, Verdict } from '@reenact/domain';
import { openRowLog } from '../bench/row-log.js';
import type { RowLog } from '../bench/row-log.js';
import { closeRuns, runToVerdict } from '../runs/run-to-verdict.js';
import type { AnyRequest } from '../runs/run-identity.js';
import type { Session } from '../runs/session.js';
import { chosenPython } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { contextOf, inSession } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';

/** What a bench works with that judges on the engine. */
export interface BenchStage {
  context: CommandContext;
  session: Session;
  /** Interpreter of the environment to judge in. */
  python: string;
  casesDirectory: string;
  controlPython: string | null;
  pace: { concurrency: number; allowUnsandboxed: boolean };
  judge: (request: Exclude<AnyRequest, BisectRequest>) => Promise<Verdict>;
  /** The log of rows of this question; it is forgotten when the result is told. */
  openLog<Row>(asked: { bench: string } & Record<string, unknown>): Promise<RowLog<Row>>;
}

/** The action of a command that runs a bench on the engine: tells its result and sets the exit status, 10 where it does not hold. */
export function benchAction<Options extends BenchOptions, Result extends { holds: boolean }>(
  host: CommandHost,
  command: Command,
  bench: { run: (stage: BenchStage, options: Options) => Promise<Result>; render: (result: Result) => string },
): (options: Options) => Promise<void> {
  return async (options) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const logs: Pick<RowLog<unknown>, 'finish'>[] = [];
      const result = await bench.run(await stageOf(context, session, options, logs), options);
      tellResult(context, result, bench.render);
      for (const log of logs) await log.finish();
      await closeRuns(context.configuration);
      return result.holds ? 0 : 10;
    });
  };
}

/** A bench's result on standard output: JSON where asked for, else as `render` has it. */
export function tellResult<Result>(context: CommandContext, result: Result, render: (result: Result) => string): void {
  context.console.data(context.json ? `${JSON.stringify(result)}\n` : `${render(result)}\n`);
}

async function stageOf(
  context: CommandContext,
  session: Session,
  options: BenchOptions,
  logs: Pick<RowLog<unknown>, 'finish'>[],
): Promise<BenchStage> {
  const { configuration, report, workingDirectory } = context;
  return {
    context,
    session,
    python: await chosenPython(context, options),
    // Benches without cases have no such option.
    casesDirectory: path.resolve(workingDirectory, options.cases ?? '.'),
    controlPython: options.controlPython === undefined ? null : path.resolve(workingDirectory, options.controlPython),
    pace: { concurrency: options.parallel ?? availableParallelism(), allowUnsandboxed: options.unsandboxed === true },
    judge: (request) => runToVerdict(configuration, request, { quiet: true, report }),
    async openLog<Row>(asked: { bench: string } & Record<string, unknown>) {
      const log = await openRowLog<Row>(configuration.stateDirectory, asked, { resume: options.resume === true });
      logs.push(log);
      return log;
    },
  };
}
