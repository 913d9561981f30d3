import { AppError } from '@reenact/domain';
import type { KubeConnection } from './kube-connection.js';
import { chunksWithin, openAnswer, readFailure, wordsOf } from './kube-request.js';
import { RUNNER } from './pod-status.js';
import { resourcePath } from './resource-path.js';

export interface PodLogOptions {
  namespace: string;
  pod: string;
  /** Goes on until the container ends; what a cut connection took is not given again. */
  follow: boolean;
  /** The rest is not read. */
  mostBytes: number;
  /** A pause this long ends it; supervisors write heartbeats. */
  silenceMilliseconds: number;
  signal: AbortSignal;
}

/**
 * The bytes of a run pod's log as they are in the file, undecoded and not cut at lines.
 *
 * @throws AppError `cluster-unreachable`, with the server's words where it refuses or its kubelet cannot be reached, and where the stream is
 * cut or silent; the signal's reason where it was aborted. It never throws outside of the iteration.
 */
export async function* podLog(connection: KubeConnection, options: PodLogOptions): AsyncGenerator<Buffer> {
  const { signal, silenceMilliseconds } = options;
  const path = resourcePath('pods', options.namespace, `${options.pod}/log`);
  const query = { container: RUNNER, follow: String(options.follow), limitBytes: String(options.mostBytes) };
  const message = await openAnswer(connection, { method: 'GET', path, query, signal, timeoutMilliseconds: silenceMilliseconds });
  const chunks = chunksWithin(message, silenceMilliseconds);
  let left = options.mostBytes;
  try {
    if (message.statusCode !== 200) {
      const failure = await readFailure(chunks, message.statusCode ?? 0);
      throw new Error(`${failure.reason}: ${failure.message}`);
    }
    for await (const chunk of chunks) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError('cluster-unreachable', `the log of ${options.pod} broke off: ${wordsOf(error)}`, { cause: error });
  }
}
