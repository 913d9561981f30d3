import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { readBundle, unpackBundle } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import { renderBisections, runBisectBench } from '../bench/run-bisect-bench.js';
import type { BisectRow } from '../bench/run-bisect-bench.js';
import { renderMinimised, runMinimiseBench } from '../bench/run-minimise-bench.js';
import type { MinimiseRow } from '../bench/run-minimise-bench.js';
import { bundleOfRun, buildBundleDraft, storeGivenBundle } from '../requests/replay-draft.js';
import { runToBisection } from '../runs/run-to-verdict.js';
import type { Session } from '../runs/session.js';
import { withCaseOptions, withEnvironmentOptions, withResume } from './bench-case-options.js';
import type { BenchOptions } from './bench-case-options.js';
import { benchAction } from './bench-frame.js';
import { collect, withCommon, wholeNumber } from './command-context.js';
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
  ]).action(
    benchAction(host, command, {
      async run(
        { context, session, python, casesDirectory, controlPython, pace, judge, openLog },
        { only, tests }: BenchOptions & { only: string[]; tests: number },
      ) {
        const asked = { casesDirectory, python, controlPython, maxTests: tests };
        return runMinimiseBench(
          { ...asked, ...pace, only },
          {
            artifacts: session.artifacts,
            run: judge,
            draft: (runId) => buildBundleDraft(session, runId, { with: [], verb: 'minimised' }, context.workingDirectory),
            readBundleOf: (runId) => readBundleOf(session, runId),
            messagesOf: async (runId) => (await session.runs.listEvents(runId, 0)).map(({ message }) => message),
            log: await openLog<MinimiseRow>({ bench: 'minimise', ...asked }),
            onRow: (row, done, total) =>
              context.report(
                `${done}/${total} ${row.case}: ${row.before.lines} → ${row.after?.lines ?? '…'} lines, ${row.holds ? 'holds' : 'falls short'}`,
              ),
          },
        );
      },
      render: renderMinimised,
    }),
  );
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
    benchAction(host, command, {
      async run(
        { context, session, python, pace, judge, openLog },
        { commits, tries, seed }: BenchOptions & { commits: number; tries: number; seed: number },
      ) {
        const { configuration, report, workingDirectory } = context;
        const asked = { python, commits, tries, seed };
        return runBisectBench(
          { ...asked, ...pace },
          {
            artifacts: session.artifacts,
            judge,
            bundleTreeOf: async (runId) => (await storeGivenBundle(session, runId, workingDirectory)).bundleTree,
            bisect: (request) => runToBisection(configuration, request, { quiet: true, report }),
            log: await openLog<BisectRow>({ bench: 'bisect', ...asked }),
            onRow: (row, done, total) =>
              report(`${done}/${total} rate ${row.rate}, change ${row.firstBad}: ${row.answer}, ${row.trials} trials`),
          },
        );
      },
      render: renderBisections,
    }),
  );
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
