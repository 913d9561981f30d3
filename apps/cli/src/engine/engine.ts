import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, QUEUES } from '@reenact/domain';
import type { Configuration } from '@reenact/domain';
import { connectTemporal, countOpenWorkflows } from '@reenact/temporal/client';
import type { TemporalClient } from '@reenact/temporal/client';
import { ensureTemporalServer } from '@reenact/temporal/server';
import type { TemporalServer } from '@reenact/temporal/server';
import { statePaths } from '../state-paths.js';
import { ensureWorker, findWorker } from './ensure-worker.js';

/** Starts of a worker within one command before it is taken for broken rather than killed. */
const MAX_WORKER_STARTS = 8;
/** Patience of a look at the server, before it is looked at more closely. */
const LOOK_SECONDS = 5;
const READY_SECONDS = 60;
const READY_POLL_MILLISECONDS = 200;
const LAST_LINES = 6;
/** `temporal.api.enums.v1.TaskQueueType`: workflow tasks. */
const WORKFLOW_TASK_QUEUE = 1;

/** Server and worker as one thing, with a client; `heal` brings back whichever died. */
export interface Engine {
  readonly client: TemporalClient['client'];
  readonly server: TemporalServer;
  /** True when the user ended server and worker (`down`) since this engine was made: nothing is brought back then. */
  wasStopped(): Promise<boolean>;
  /** Brings back a server or worker that died, and tells. @throws AppError when that can't be done. */
  heal(): Promise<void>;
  /** Waits until the worker takes work. @throws AppError `internal` with its last words when it ends instead, or takes too long. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gives a Temporal server that answers and one worker on it, started in the background where they are not there yet; they end by
 * themselves after the idle minutes.
 *
 * @param report one sentence for the user: what is brought, replaced or started anew.
 * @throws AppError `temporal-unreachable`, `config-invalid`, `package-index-unreachable`, `internal`.
 */
export async function ensureEngine(configuration: Configuration, report: (message: string) => void): Promise<Engine> {
  const engine = new LocalEngine(configuration, report);
  await engine.start();
  return engine;
}

class LocalEngine implements Engine {
  private temporal: TemporalClient | null = null;
  private known: TemporalServer | null = null;
  private workerStarts = 0;
  private healing: Promise<void> | null = null;

  private readonly told = new Set<string>();
  private readonly madeAtMilliseconds = Date.now();

  constructor(
    private readonly configuration: Configuration,
    private readonly tell: (message: string) => void,
  ) {}

  /** Each sentence once: the engine is looked at again and again while a run is followed. */
  private readonly report = (message: string): void => {
    if (this.told.has(message)) return;
    this.told.add(message);
    this.tell(message);
  };

  get client(): TemporalClient['client'] {
    if (this.temporal === null) throw new AppError('internal', 'The engine was not started.');
    return this.temporal.client;
  }

  get server(): TemporalServer {
    if (this.known === null) throw new AppError('internal', 'The engine was not started.');
    return this.known;
  }

  async start(): Promise<void> {
    await this.ensureServer();
    await this.ensureWorker(true);
  }

  async wasStopped(): Promise<boolean> {
    const mark = await stat(statePaths(this.configuration.stateDirectory).stopMark).catch(() => null);
    return mark !== null && mark.mtimeMs > this.madeAtMilliseconds;
  }

  heal(): Promise<void> {
    this.healing ??= this.mend().finally(() => (this.healing = null));
    return this.healing;
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + READY_SECONDS * 1000;
    const { stateDirectory } = this.configuration;
    for (;;) {
      const worker = await findWorker(stateDirectory);
      if (worker === null || performance.now() > deadline)
        throw await workerFailure(stateDirectory, worker === null ? 'ended while it started' : 'does not take work');
      if (await this.polls(worker.pid)) return;
      await sleep(READY_POLL_MILLISECONDS);
    }
  }

  async close(): Promise<void> {
    await this.temporal?.close();
    this.temporal = null;
  }

  /** A worker names itself `pid@host` (the SDK's default identity). */
  private async polls(pid: number): Promise<boolean> {
    const request = { namespace: this.server.namespace, taskQueue: { name: QUEUES.workflows }, taskQueueType: WORKFLOW_TASK_QUEUE };
    const { pollers } = await this.client.connection.workflowService.describeTaskQueue(request);
    return (pollers ?? []).some(({ identity }) => identity?.startsWith(`${pid}@`) === true);
  }

  private async mend(): Promise<void> {
    if (!(await this.answers())) {
      await this.ensureServer();
      if (this.known?.started === true) this.tell('The Temporal server had ended; it was started again on the same database.');
    }
    if (await this.ensureWorker(false)) this.tell('The worker had ended; it was started again and goes on where it was.');
  }

  private async answers(): Promise<boolean> {
    const connection = this.temporal?.connection;
    if (connection === undefined) return false;
    const deadline = Date.now() + LOOK_SECONDS * 1000;
    return connection
      .withDeadline(deadline, () => connection.workflowService.getSystemInfo({}))
      .then(
        () => true,
        () => false,
      );
  }

  private async ensureServer(): Promise<void> {
    const server = await ensureTemporalServer(serverConfig(this.configuration, this.report));
    if (this.temporal === null || this.known?.address !== server.address) {
      const previous = this.temporal;
      this.temporal = await connectTemporal(connectionOf(this.configuration, server));
      await previous?.close();
    }
    this.known = server;
  }

  private async ensureWorker(replaceOutdated: boolean): Promise<boolean> {
    const started = await ensureWorker(this.configuration, {
      report: this.report,
      replaceOutdated,
      countOpenRuns: () => countOpenWorkflows(this.client),
    });
    if (started) this.workerStarts += 1;
    if (this.workerStarts > MAX_WORKER_STARTS) throw await workerFailure(this.configuration.stateDirectory, 'ends again and again');
    return started;
  }
}

function serverConfig({ stateDirectory, temporal, searchPath, python }: Configuration, report: (message: string) => void) {
  return {
    stateDirectory,
    namespace: temporal.namespace,
    ...(temporal.address !== null && { existing: { address: temporal.address, apiKey: temporal.apiKey ?? undefined } }),
    cliPath: temporal.cli ?? undefined,
    searchPath,
    pythonPath: python ?? undefined,
    report,
  };
}

function connectionOf({ temporal }: Configuration, server: TemporalServer) {
  const apiKey = server.owned ? undefined : (temporal.apiKey ?? undefined);
  return { address: server.address, namespace: server.namespace, apiKey };
}

async function workerFailure(stateDirectory: string, what: string): Promise<AppError> {
  const { workerLog } = statePaths(stateDirectory);
  const text = await readFile(workerLog, 'utf8').catch(() => '');
  // a stack's lines say less than the words above it
  const words = text.split('\n').filter((line) => line.trim() !== '' && !/^\s+(?:at |\^)/.test(line));
  const last = words.slice(-LAST_LINES).map((line) => `    ${line.slice(0, 300)}`);
  return new AppError('internal', `The worker ${what}. Its last words:\n${last.join('\n')}`, { hint: `The whole log: ${workerLog}` });
}
