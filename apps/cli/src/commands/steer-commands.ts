import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { RunRow } from '@reenact/domain';
import { plainLine } from '@reenact/reporting';
import { writeJson } from '../console.js';
import { ensureEngine } from '../engine/engine.js';
import type { Engine } from '../engine/engine.js';
import { cancelRun, findRun, giveHint, grantMoreAttempts } from '../runs/steer-run.js';
import { contextOf, inSession, wholeNumber, withCommon } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';

/** `cancel`, `hint`, `extend`: what a person tells a running run. */
export function addSteerCommands(program: Command, host: CommandHost): void {
  addCancel(program, host);
  const hint = program
    .command('hint')
    .description('A hint for the model, taken into its next prompt.')
    .argument('<run>', 'id of the run')
    .argument('<text...>', 'the hint');
  withCommon(hint, ['hint RUN "the crash needs a batch of one"']).action(async (run: string, words: string[]) => {
    const context = contextOf(host, hint);
    const text = words.join(' ');
    const { row, result } = await steer(context, run, (engine, found) => giveHint(engine, found, { text, author: author() }));
    if (context.json) return writeJson(context.console, { schemaVersion: 1, runId: row.runId, hints: result });
    context.console.data(`Run ${row.runId} has ${result} hint(s) now.\n`);
  });
  const extend = program
    .command('extend')
    .description('More attempts per context.')
    .argument('<run>', 'id of the run')
    .requiredOption('--attempts <n>', 'how many more', wholeNumber(1, 20));
  withCommon(extend, ['extend RUN --attempts 3']).action(async (run: string, { attempts }: { attempts: number }) => {
    const context = contextOf(host, extend);
    const { row, result } = await steer(context, run, (engine, found) => grantMoreAttempts(engine, found, attempts));
    if (context.json) return writeJson(context.console, { schemaVersion: 1, runId: row.runId, attemptsPerContext: result });
    context.console.data(`Run ${row.runId} may make ${result} attempts per context now.\n`);
  });
}

function addCancel(program: Command, host: CommandHost): void {
  const cancel = program
    .command('cancel')
    .description('Stops a run; what it found so far is kept.')
    .argument('<run>', 'id of the run, or its beginning');
  withCommon(cancel, ['cancel RUN']).action(async (run: string) => {
    const context = contextOf(host, cancel);
    const { row } = await steer(context, run, cancelRun);
    if (context.json) return writeJson(context.console, { schemaVersion: 1, runId: row.runId, state: 'cancelled' });
    context.console.data(`Run ${row.runId} is cancelled.\n`);
    context.report(`What it found: ./reenact show ${row.runId}`);
  });
}

async function steer<T>(
  context: CommandContext,
  run: string,
  work: (engine: Engine, row: RunRow) => Promise<T>,
): Promise<{ row: RunRow; result: T }> {
  return inSession(context, async (session) => {
    const row = await findRun(session, run);
    const engine = await ensureEngine(context.configuration, context.report);
    try {
      return { row, result: await work(engine, row) };
    } finally {
      await engine.close();
    }
  });
}

function author(): string {
  try {
    return plainLine(userInfo().username, 60);
  } catch {
    return 'unknown';
  }
}
