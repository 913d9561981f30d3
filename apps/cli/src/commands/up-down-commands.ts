import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { findTemporalServer, stopTemporalServer } from '@reenact/temporal/server';
import { connectTemporal, countOpenWorkflows } from '@reenact/temporal/client';
import { writeJson } from '../console.js';
import { statePaths } from '../state-paths.js';
import { ensureEngine } from '../engine/engine.js';
import { findWorker, stopWorker } from '../engine/ensure-worker.js';
import { contextOf, withCommon } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';

/** `up` and `down`: server and worker in the background. */
export function addUpDownCommands(program: Command, host: CommandHost): void {
  const up = program.command('up').description('Starts server and worker in the background, and prints the address of the Temporal UI.');
  withCommon(up, ['up']).action(async () => {
    const context = contextOf(host, up);
    const engine = await ensureEngine(context.configuration, context.report);
    const { address, uiUrl, namespace, serverVersion } = engine.server;
    await engine.ready().finally(() => engine.close());
    const worker = await findWorker(context.configuration.stateDirectory);
    if (context.json)
      return writeJson(context.console, { schemaVersion: 1, address, namespace, uiUrl, serverVersion, workerPid: worker?.pid ?? null });
    context.console.data(`${uiUrl ?? address}\n`);
    context.report(
      `Temporal ${serverVersion} at ${address}, worker process ${worker?.pid ?? 'ended'}. They end by themselves after ${context.configuration.idleMinutes} idle minutes, or with  ./reenact down`,
    );
  });
  const down = program.command('down').description('Ends worker and server that Reenact started; open runs go on at the next start.');
  withCommon(down, ['down']).action(async () => {
    const context = contextOf(host, down);
    const open = await countOpen(context);
    await writeFile(statePaths(context.configuration.stateDirectory).stopMark, '').catch(() => undefined);
    const worker = await stopWorker(context.configuration.stateDirectory);
    const server = await stopTemporalServer(context.configuration.stateDirectory);
    if (context.json)
      return writeJson(context.console, { schemaVersion: 1, worker: worker ? 'stopped' : 'not-running', server, openRuns: open });
    context.console.data(
      `worker ${worker ? 'stopped' : 'was not running'}, server ${server === 'stopped' ? 'stopped' : 'was not running'}\n`,
    );
    if (open > 0) context.report(`${open} open workflow(s) go on at the next  ./reenact up`);
  });
}

async function countOpen({ configuration }: CommandContext): Promise<number> {
  const server = await findTemporalServer({ stateDirectory: configuration.stateDirectory, namespace: configuration.temporal.namespace });
  if (server === null) return 0;
  const temporal = await connectTemporal({ address: server.address, namespace: server.namespace });
  try {
    return await countOpenWorkflows(temporal.client);
  } finally {
    await temporal.close();
  }
}
