import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import { connectTemporal } from '../client/connection.js';
import type { TemporalClient, TemporalConnectionOptions } from '../client/connection.js';
import { checkSearchAttributes } from './search-attribute-check.js';
import type { AttributeCheck } from './search-attribute-check.js';

const POLL_MILLISECONDS = 50;
const CALL_TIMEOUT_SECONDS = 10;
/** gRPC status NOT_FOUND. */
const NOT_FOUND = 5;
/** 30 days, as on our clusters (temporal.md section 8). */
const RETENTION_SECONDS = 30 * 24 * 3600;
const OWN_SERVER = { timeoutSeconds: CALL_TIMEOUT_SECONDS, addMissing: true };

/** What a live server says of itself. */
export interface ServerHealth {
  serverVersion: string;
  searchAttributes: AttributeCheck;
}

/**
 * Asks a server once: its version, that the namespace is there, and its search attributes; adds missing ones where `addMissing` is set.
 * @throws AppError `temporal-unreachable`, or the SDK's error when the namespace is not there (yet).
 */
export async function askServer(
  options: TemporalConnectionOptions,
  choices: { timeoutSeconds: number; addMissing: boolean },
): Promise<ServerHealth> {
  const temporal = await connectTemporal(options, choices.timeoutSeconds);
  try {
    return await temporal.connection.withDeadline(Date.now() + Math.max(choices.timeoutSeconds, 1) * 1000, () =>
      ask(temporal, options, choices.addMissing),
    );
  } finally {
    await temporal.close();
  }
}

async function ask({ connection }: TemporalClient, options: TemporalConnectionOptions, addMissing: boolean): Promise<ServerHealth> {
  const { namespace } = options;
  const info = await connection.workflowService.getSystemInfo({});
  await connection.workflowService.describeNamespace({ namespace }).catch(async (error: unknown) => {
    // a server of our own that was started for another namespace; the new one shows after the next refresh of the server's cache
    if (addMissing && (error as { code?: unknown }).code === NOT_FOUND) await registerNamespace(connection, namespace);
    throw error;
  });
  const searchAttributes = await checkSearchAttributes(connection, namespace, addMissing);
  return { serverVersion: info.serverVersion ?? '', searchAttributes };
}

async function registerNamespace({ workflowService }: TemporalClient['connection'], namespace: string): Promise<void> {
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(RETENTION_SECONDS * 1000) });
}

/** Repeats {@link askServer} on a server of our own until it succeeds; null when `signal` ends the waiting. */
export async function waitForServer(options: TemporalConnectionOptions, signal: AbortSignal): Promise<ServerHealth | null> {
  while (!signal.aborted) {
    // a gRPC channel that met a closed port waits a second before it tries again, so the port is asked first
    const health = (await portAnswers(options.address)) ? await askServer(options, OWN_SERVER).catch(() => null) : null;
    if (health !== null) return health;
    await pause(signal);
  }
  return null;
}

/** True when something accepts connections at `host:port`. */
function portAnswers(address: string): Promise<boolean> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)), timeout: CALL_TIMEOUT_SECONDS * 1000 });
    const answer = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

/** Waits until the UI answers, which is a little later than gRPC; false when `signal` ends the waiting. */
export async function waitForUi(uiUrl: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await uiAnswers(uiUrl)) return true;
    await pause(signal);
  }
  return false;
}

async function uiAnswers(uiUrl: string): Promise<boolean> {
  const response = await fetch(uiUrl, { signal: AbortSignal.timeout(CALL_TIMEOUT_SECONDS * 1000), redirect: 'follow' }).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

function pause(signal: AbortSignal): Promise<void> {
  return sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
}
