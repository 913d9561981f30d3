import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { tlsConfig, unreachable } from '../client/connection.js';
import type { TemporalConnectionOptions } from '../client/connection.js';

const FIRST_PAUSE_SECONDS = 0.2;
const LONGEST_PAUSE_SECONDS = 5;

/**
 * Connects for a worker, again and again: the SDK itself gives up after a second when the server is not there yet.
 * @throws AppError `temporal-unreachable` after `patienceSeconds` or when `signal` ends the waiting.
 */
export async function connectNative(
  options: TemporalConnectionOptions,
  patienceSeconds: number,
  signal?: AbortSignal,
): Promise<NativeConnection> {
  const { address, apiKey } = options;
  const tls = tlsConfig(options);
  const deadline = performance.now() + patienceSeconds * 1000;
  for (let pauseSeconds = FIRST_PAUSE_SECONDS; ; pauseSeconds = Math.min(pauseSeconds * 2, LONGEST_PAUSE_SECONDS)) {
    try {
      return await NativeConnection.connect({ address, ...(tls && { tls }), ...(apiKey && { apiKey }) });
    } catch (error) {
      if (signal?.aborted || performance.now() + pauseSeconds * 1000 > deadline) throw unreachable(address, error);
      await sleep(pauseSeconds * 1000, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }
}
