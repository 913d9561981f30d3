import path from 'node:path';
import type { Command } from 'commander';
import { unpackBundle } from '@reenact/verdict';
import { writeJson } from '../console.js';
import { bundleOfRun } from '../requests/replay-draft.js';
import { findRun } from '../runs/steer-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `open`: unpacks a run's bundle, ready to run by hand. */
export function addOpenCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('open')
    .description("Unpacks a run's bundle, ready to run by hand.")
    .argument('<run>', 'id of the run, or its beginning')
    .option('--to <dir>', 'a new or empty folder; default: bundle-RUN here');
  withCommon(command, ['open RUN', 'open RUN --to /tmp/bundle']).action(async (run: string, { to }: { to?: string }) => {
    const context = contextOf(host, command);
    await inSession(context, async (session) => {
      const row = await findRun(session, run);
      const directory = path.resolve(host.workingDirectory, to ?? `bundle-${row.runId}`);
      await unpackBundle(await bundleOfRun(session, row.runId), directory);
      if (context.json) return writeJson(context.console, { schemaVersion: 1, runId: row.runId, directory });
      context.console.data(`${directory}\n`);
      context.report(`Run it by hand:  cd ${directory} && sh run.sh`);
    });
  });
}
