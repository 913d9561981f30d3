import type { Command } from 'commander';
import { writeJson } from '../console.js';
import { ensureEngine } from '../engine/engine.js';
import { attendRun, reporterOf } from '../runs/attend-run.js';
import { findRun } from '../runs/steer-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `logs`: a run's story; with `-f` until its verdict. */
export function addLogsCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('logs')
    .description("A run's story.")
    .argument('<run>', 'id of the run, or its beginning')
    .option('-f, --follow', 'go on until the verdict');
  withCommon(command, ['logs RUN', 'logs RUN -f']).action(async (run: string, { follow }: { follow?: boolean }) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const row = await findRun(session, run);
      if (follow === true && row.state === 'running') {
        const engine = await ensureEngine(context.configuration, context.report);
        return attendRun(context, session, engine, row).finally(() => engine.close());
      }
      const events = await session.runs.listEvents(row.runId, 0);
      if (context.json) writeJson(context.console, { schemaVersion: 1, run: row, events });
      // here the story is the data
      const reporter = reporterOf({ ...context, console: { ...context.console, talk: context.console.data } });
      if (!context.json) for (const event of events) reporter.event(event);
      return 0;
    });
  });
}
