import type { Command } from 'commander';
import { writeJson } from '../console.js';
import { knownPage } from '../engine/workflow-page.js';
import { nextCommand } from '../runs/next-command.js';
import { reporterOf } from '../runs/attend-run.js';
import { readBisection, showBisection } from '../runs/show-bisection.js';
import { findRun } from '../runs/steer-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `show`: a run's verdict, or where it stands. The exit status says whether the command worked, not what the verdict is. */
export function addShowCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('show')
    .description("A run's verdict, or where it stands.")
    .argument('<run>', 'id of the run, or its beginning');
  withCommon(command, ['show RUN', 'show RUN --json']).action(async (run: string) => {
    const context = contextOf(host, command);
    await inSession(context, async (session) => {
      const row = await findRun(session, run);
      const links = async () => ({ folder: row.folder, uiUrl: await knownPage(context.configuration, row.workflowId) });
      const bisection = await readBisection(row.folder);
      if (bisection !== null) return void showBisection(context, bisection, await links());
      const verdict = row.state === 'running' ? null : await session.runs.getVerdict(row.runId);
      if (verdict !== null) return reporterOf(context).verdict(verdict, { ...(await links()), next: nextCommand(verdict) });
      if (context.json) return writeJson(context.console, { schemaVersion: 1, ...row });
      context.console.data(`${row.runId}: ${row.state}, phase ${row.phase}\n`);
      context.report(row.state === 'running' ? `Follow it with  ./reenact logs ${row.runId} -f` : `See  ./reenact logs ${row.runId}`);
    });
  });
}
