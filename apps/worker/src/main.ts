import { fileURLToPath } from 'node:url';
import { QUEUES, isAppError } from '@reenact/domain';
import { connectTemporal, countOpenWorkflows } from '@reenact/temporal/client';
import type { TemporalConnectionOptions } from '@reenact/temporal/client';
import { ensureTemporalServer, stopTemporalServer } from '@reenact/temporal/server';
import { runWorker } from '@reenact/temporal/worker';
import type { WorkerLogEntry } from '@reenact/temporal/worker';
import { activitiesByQueue, composeDependencies, openStores } from './composition.js';
import { collectArtifacts, collectCaches } from './collect-caches.js';
import { loadConfiguration } from './config.js';
import { scheduleJanitor } from './janitor-schedule.js';
import { trialSlots } from './trial-slots.js';

/** One worker process: all queues, until it is told to end or was idle for long enough. */
async function main(): Promise<void> {
  const configuration = loadConfiguration();
  const { address, namespace, apiKey, cli } = configuration.temporal;
  const server = await ensureTemporalServer({
    stateDirectory: configuration.stateDirectory,
    namespace,
    searchPath: configuration.searchPath,
    ...(address === null ? {} : { existing: { address, ...(apiKey === null ? {} : { apiKey }) } }),
    ...(cli === null ? {} : { cliPath: cli }),
    ...(configuration.python === null ? {} : { pythonPath: configuration.python }),
    report: (message) => log({ level: 'INFO', message, meta: {} }),
  });
  const dependencies = await composeDependencies(configuration, log);
  const slots = await trialSlots(configuration.sandbox);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const connection = { address: server.address, namespace, ...(apiKey === null ? {} : { apiKey }) };
  await scheduleJanitor(configuration.sandbox, connection);
  const work = () =>
    runWorker({
      connection,
      queues: Object.values(QUEUES),
      activities: activitiesByQueue(dependencies),
      slots,
      workflows: { type: 'bundle', codePath: fileURLToPath(new URL('./workflow-bundle.js', import.meta.url)) },
      logger: log,
      signal: stop.signal,
      onReady: () => log({ level: 'INFO', message: 'worker ready', meta: { pid: process.pid, address: server.address } }),
      idle: { afterSeconds: configuration.idleMinutes * 60, onIdle: () => true },
    });
  let end = await work();
  while (end === 'no-open-workflows') {
    // Nobody works meanwhile, so nothing that is collected is in use; who came in meanwhile is served afterwards.
    await collect(configuration.stateDirectory);
    if (await hasNoOpenWorkflow(connection)) break;
    end = await work();
  }
  dependencies.sandbox.close();
  dependencies.runs.close();
  log({ level: 'INFO', message: 'worker ended', meta: { end } });
  // The pair ends together: a server that nobody works for has nothing to serve.
  const isUnused = () => hasNoOpenWorkflow(connection);
  if (end !== 'signal' && server.owned) await stopTemporalServer(configuration.stateDirectory, { onlyIf: isUnused });
}

/** Brings everything that can be made again, or that nobody names any more, below its bound. */
async function collect(stateDirectory: string): Promise<void> {
  await collectCaches(stateDirectory);
  const { artifacts, runs } = openStores(stateDirectory, log);
  const { removedBytes } = await collectArtifacts(artifacts, runs).finally(() => runs.close());
  if (removedBytes > 0) log({ level: 'INFO', message: 'artefacts collected', meta: { removedBytes } });
}

/** Somebody may have started a run since the worker was idle; a server that does not answer serves nobody. */
async function hasNoOpenWorkflow(connection: TemporalConnectionOptions): Promise<boolean> {
  const temporal = await connectTemporal(connection).catch(() => null);
  if (temporal === null) return true;
  return countOpenWorkflows(temporal.client)
    .then(
      (count) => count === 0,
      () => true,
    )
    .finally(() => temporal.close());
}

function log(entry: WorkerLogEntry): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
}

try {
  await main();
} catch (error) {
  log({
    level: 'ERROR',
    message: error instanceof Error ? error.message : String(error),
    meta: { stack: error instanceof Error ? error.stack : undefined },
  });
  process.exitCode = isAppError(error) ? error.exitStatus : 70;
}
