import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { readBundle, unpackBundle } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import { openRowLog } from '../bench/row-log.js';
import { renderBisections, runBisectBench } from '../bench/run-bisect-bench.js';
import type { BisectRow } from '../bench/run-bisect-bench.js';
import { renderMinimised, runMinimiseBench } from '../bench/run-minimise-bench.js';
import type { MinimiseRow } from '../bench/run-minimise-bench.js';
import { bundleOfRun, buildBundleDraft, storeGivenBundle } from '../requests/replay-draft.js';
import { closeRuns, runToBisection, runToVerdict } from '../runs/run-to-verdict.js';
import type { Session } from '../runs/session.js';
import { chosenPython, withCaseOptions, withEnvironmentOptions, withResume } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { collect, contextOf, inSession, withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `bench minimise`: whether bundles become smaller and show the same. */
export function addMinimiseBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('minimise')
    .description('Make the bundle of every case’s reference script smaller, and compare size, verdict and grade.')
    .option('--only <case>', 'take this case (repeatable; default: all)', collect, [] as string[])
    .option('--control-python <path>', 'interpreter in which faults that have no patch are absent')
    .option('--tests <n>', 'variants that may be tried for each', wholeNumber(1, 800), 200)
    .option('--parallel <n>', 'cases under way at once (default: number of processors)', wholeNumber(1, 64));
  withCommon(withResume(withCaseOptions(command)), [
    'bench minimise --cases bench/cases --with numpy',
    'bench minimise --cases bench/cases --only crash-empty-bucket --tests 60 --json',
  ]).action(async (options: BenchOptions & { only: string[]; tests: number }) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const { configuration, workingDirectory, report } = context;
      const asked = {
        casesDirectory: path.resolve(workingDirectory, options.cases),
        python: await chosenPython(context, options),
        controlPython: options.controlPython === undefined ? null : path.resolve(workingDirectory, options.controlPython),
        maxTests: options.tests,
      };
      const log = await openRowLog<MinimiseRow>(configuration.stateDirectory, { bench: 'minimise', ...asked }, resumeOf(options));
      const result = await runMinimiseBench(
        {
          ...asked,
          only: options.only,
          concurrency: options.parallel ?? availableParallelism(),
          allowUnsandboxed: options.unsandboxed === true,
        },
        {
          artifacts: session.artifacts,
          run: (request) => runToVerdict(configuration, request, { quiet: true, report }),
          draft: (runId) => buildBundleDraft(session, runId, { with: [], verb: 'minimised' }, workingDirectory),
          readBundleOf: (runId) => readBundleOf(session, runId),
          messagesOf: async (runId) => (await session.runs.listEvents(runId, 0)).map(({ message }) => message),
          log,
          onRow: (row, done, total) =>
            report(
              `${done}/${total} ${row.case}: ${row.before.lines} → ${row.after?.lines ?? '…'} lines, ${row.holds ? 'holds' : 'falls short'}`,
            ),
        },
      );
      context.console.data(context.json ? `${JSON.stringify(result)}\n` : `${renderMinimised(result)}\n`);
      await log.finish();
      await closeRuns(configuration);
      return result.holds ? 0 : 10;
    });
  });
}

/** `bench bisect`: whether searches name the exact commit of seeded histories. */
export function addBisectBench(bench: Command, host: CommandHost): void {
  const command = bench
    .command('bisect')
    .description('Search seeded histories for a commit that is known, with a fault that always shows and with one by chance.')
    .option('--commits <n>', 'commits of each history', wholeNumber(2, 1_000), 64)
    .option('--tries <n>', 'searches for the fault by chance; a third as many for the other one', wholeNumber(1, 1_000), 10)
    .option('--seed <n>', 'the same seed gives the same culprits', wholeNumber(0, 4_294_967_295), 1)
    .option('--parallel <n>', 'searches under way at once (default: number of processors)', wholeNumber(1, 64));
  withCommon(withResume(withEnvironmentOptions(command)), ['bench bisect', 'bench bisect --tries 3 --seed 7 --json']).action(
    async (options: BenchOptions & { commits: number; tries: number; seed: number }) => {
      const context = contextOf(host, command);
      host.exitStatus = await inSession(context, async (session) => {
        const { configuration, report } = context;
        const { commits, tries, seed } = options;
        const asked = { python: await chosenPython(context, options), commits, tries, seed };
        const log = await openRowLog<BisectRow>(configuration.stateDirectory, { bench: 'bisect', ...asked }, resumeOf(options));
        const result = await runBisectBench(
          { ...asked, concurrency: options.parallel ?? availableParallelism(), allowUnsandboxed: options.unsandboxed === true },
          {
            artifacts: session.artifacts,
            judge: (request) => runToVerdict(configuration, request, { quiet: true, report }),
            bundleTreeOf: async (runId) => (await storeGivenBundle(session, runId, context.workingDirectory)).bundleTree,
            bisect: (request) => runToBisection(configuration, request, { quiet: true, report }),
            log,
            onRow: (row, done, total) =>
              report(`${done}/${total} rate ${row.rate}, change ${row.firstBad}: ${row.answer}, ${row.trials} trials`),
          },
        );
        context.console.data(context.json ? `${JSON.stringify(result)}\n` : `${renderBisections(result)}\n`);
        await log.finish();
        await closeRuns(configuration);
        return result.holds ? 0 : 10;
      });
    },
  );
}

function resumeOf(options: BenchOptions): { resume: boolean } {
  return { resume: options.resume === true };
}

async function readBundleOf(session: Session, runId: string): Promise<Pick<Bundle, 'candidate'>> {
  const scratch = await mkdtemp(path.join(session.paths.scratch, 'read-'));
  try {
    await unpackBundle(await bundleOfRun(session, runId), scratch);
    return { candidate: (await readBundle(scratch)).candidate };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
