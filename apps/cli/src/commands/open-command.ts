import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { AppError } from '@reenact/domain';
import { unpackBundle } from '@reenact/verdict';
import { writeJson } from '../console.js';
import { bundleOfRun } from '../requests/replay-draft.js';
import { findRun } from '../runs/steer-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';

interface OpenOptions {
  to?: string;
  page?: boolean;
}

/** `open`: the path of a run's page, and its bundle unpacked, ready to run by hand. */
export function addOpenCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('open')
    .description("Unpacks a run's bundle, ready to run by hand, and says where its page is.")
    .argument('<run>', 'id of the run, or its beginning')
    .option('--to <dir>', 'a new or empty folder; default: bundle-RUN here')
    .option('--page', 'only the address of the page');
  withCommon(command, ['open RUN', 'open RUN --page', 'open RUN --to /tmp/bundle']).action(
    async (run: string, { to, page }: OpenOptions) => {
      const context = contextOf(host, command);
      await inSession(context, async (session) => {
        const row = await findRun(session, run);
        if (page === true) return showPage(context, await pageOf(row.folder, row.runId));
        const directory = path.resolve(host.workingDirectory, to ?? `bundle-${row.runId}`);
        await unpackBundle(await bundleOfRun(session, row.runId), directory);
        if (context.json) return writeJson(context.console, { schemaVersion: 1, runId: row.runId, directory });
        context.console.data(`${directory}\n`);
        context.report(`Run it by hand:  cd ${directory} && sh run.sh`);
        const beside = await pageOf(row.folder, row.runId).catch(() => null);
        if (beside !== null) context.report(`The result as a page:  ${beside}`);
      });
    },
  );
}

/** Absolute path of a run's page. @throws AppError `run-not-found` where the run has none (yet). */
async function pageOf(folder: string, runId: string): Promise<string> {
  const page = path.join(folder, 'result.html');
  await access(page).catch(() => {
    throw new AppError('run-not-found', `Run ${runId} has no page.`, { hint: `Where it stands: ./reenact show ${runId}` });
  });
  return page;
}

function showPage(context: CommandContext, page: string): void {
  const address = pathToFileURL(page).href;
  if (context.json) return writeJson(context.console, { schemaVersion: 1, page, address });
  context.console.data(`${address}\n`);
}
