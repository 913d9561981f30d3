import { mkdir } from 'node:fs/promises';
import { AppError } from '@reenact/domain';
import { restoreDatabase, setDatabaseAside } from '@reenact/store';
import { chooseServerPorts } from './free-ports.js';
import type { ServerPorts } from './free-ports.js';
import { launchServer } from './launch-server.js';
import type { LaunchResult } from './launch-server.js';
import type { ServerHealth } from './server-health.js';
import type { ServerPaths } from './server-paths.js';
import { writeServerState } from './server-state.js';
import type { ServerState } from './server-state.js';
import type { TemporalCli } from './temporal-cli.js';

const MAX_PORT_TRIES = 3;

/** What a start needs; `previous` is the state that was recorded last. */
export interface StartRequest {
  cli: TemporalCli;
  paths: ServerPaths;
  namespace: string;
  previous: ServerState | null;
  startTimeoutSeconds: number;
  report: (message: string) => void;
}

/** A server that was just started and answers. */
export interface StartedServer {
  state: ServerState;
  health: ServerHealth;
}

/**
 * Starts our own server on the database of before. A database that this server can't use (another version's, or damaged) is set aside
 * with a message and a new one is begun; when that does not help either, the database was not the reason and is put back.
 * Callers hold the server lock.
 * @throws AppError `temporal-unreachable` with the server's last words.
 */
export async function startServer(request: StartRequest): Promise<StartedServer> {
  const { paths, report, previous, cli } = request;
  await mkdir(paths.directory, { recursive: true });
  // a second try on the same database, so that a process that somebody killed while it started costs no database
  const first = (await healthy(tryStart(request))) ?? (await tryStart(request));
  if (first.result.outcome === 'healthy') return { state: first.state, health: first.result.health };
  if (!isDatabaseSuspect(first.result.log)) throw startFailure(first.result.log);

  const aside = setDatabaseAside(paths.databaseFile);
  if (aside === null) throw startFailure(first.result.log);
  const second = await tryStart(request);
  if (second.result.outcome === 'exited') {
    restoreDatabase(aside, paths.databaseFile);
    throw startFailure(second.result.log);
  }
  const writer = previous !== null && previous.binaryVersion !== cli.version ? ` written by version ${previous.binaryVersion}` : '';
  report(
    `The Temporal database${writer} can't be used (${lastLine(first.result.log)}); it was set aside as ${aside.path} and a new one begun.`,
  );
  return { state: second.state, health: second.result.health };
}

interface StartTry {
  result: LaunchResult;
  state: ServerState;
}

async function healthy(attempt: Promise<StartTry>): Promise<StartTry | null> {
  const done = await attempt;
  return done.result.outcome === 'healthy' ? done : null;
}

async function tryStart(request: StartRequest): Promise<StartTry> {
  let preferred: ServerPorts | null = request.previous;
  for (let attempt = 1; ; attempt += 1) {
    const ports = await chooseServerPorts(preferred);
    let state = stateOf(request, ports, null);
    const result = await launchServer({
      ...request,
      ports,
      onSpawn: async (identity) => {
        state = stateOf(request, ports, identity);
        await writeServerState(request.paths.stateFile, state);
      },
    });
    const portTaken = result.outcome === 'exited' && isPortTaken(result.log);
    if (!portTaken || attempt === MAX_PORT_TRIES) return { result, state };
    preferred = null;
  }
}

function stateOf({ cli }: StartRequest, ports: ServerPorts, process: ServerState['process']): ServerState {
  return { schemaVersion: 1, process, port: ports.port, uiPort: ports.uiPort, binaryVersion: cli.version, binaryPath: cli.path };
}

/** Words of the program when somebody took a port between our choice and its start. */
export function isPortTaken(log: string): boolean {
  return log.includes('address already in use');
}

/** False where the words of the program name another reason: a taken port, a database that another process holds, a full disk. */
export function isDatabaseSuspect(log: string): boolean {
  return (
    !isPortTaken(log) && !['database is locked', 'no space left', 'permission denied', 'unknown flag'].some((words) => log.includes(words))
  );
}

function startFailure(log: string): AppError {
  return new AppError('temporal-unreachable', `The Temporal server ended while starting: ${lastLine(log) || 'it said nothing'}.`, {
    hint: 'Try the program by hand, or give the address of a running server.',
  });
}

function lastLine(log: string): string {
  return (log.split('\n').at(-1) ?? '').trim().slice(0, 400);
}
