import type { Command } from 'commander';
import { plainLine } from '@reenact/reporting';
import { columns, writeJson } from '../console.js';
import { contextOf, inSession, withCommon, wholeNumber } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `list`: the runs of this state directory, newest first. */
export function addListCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('list')
    .description('The runs, newest first.')
    .option('-n, --limit <n>', 'at most so many', wholeNumber(1, 10_000), 20);
  withCommon(command, ['list', 'list -n 100 --json']).action(async ({ limit }: { limit: number }) => {
    const context = contextOf(host, command);
    const rows = await inSession(context, (session) => session.runs.listRuns(limit));
    if (context.json) return writeJson(context.console, { schemaVersion: 1, runs: rows });
    if (rows.length === 0) return context.console.talk('There is no run yet. Begin with  ./reenact run examples/numpy-removed-alias\n');
    const table = rows.map((row) => [
      row.runId,
      row.state === 'running' ? `running: ${row.phase}` : (row.verdict ?? row.state),
      row.createdAt.slice(0, 16).replace('T', ' '),
      plainLine(row.title, 80),
    ]);
    context.console.data(`${columns([['run', 'state', 'started (UTC)', 'report'], ...table])}\n`);
    context.report('\nNext: ./reenact show RUN');
  });
}
