import { setTimeout as sleep } from 'node:timers/promises';
import { createFrameReader } from './frame-reader.js';
import type { FrameReader } from './frame-reader.js';
import type { KubeConnection } from './kube-connection.js';
import { linesOf } from './lines.js';
import { podLog } from './pod-log.js';

export interface LogSource {
  namespace: string;
  pod: string;
  nonce: string;
  /** A log without a byte for this long is given up. */
  silenceMilliseconds: number;
  signal: AbortSignal;
}

/** More than the largest evidence and all heartbeats take, and less than the 10 MiB at which a kubelet begins a new file. */
const MOST_LOG_BYTES = 9 * 1024 ** 2;
/** The runtime cuts at 16 KiB, so that no line of a supervisor is longer. */
const MOST_LINE_BYTES = 64 * 1024;
/** A kubelet may still be writing when the container has ended. */
const WAITS_MILLISECONDS = [1_000, 3_000, 10_000];

/**
 * Follows a log until it ends or breaks off. Never rejects: a follow that was cut says nothing, since the whole log is read in the end.
 *
 * @param onFrame called after each line.
 */
export async function followLog(
  connection: KubeConnection,
  source: LogSource,
  onFrame: (reader: FrameReader) => void,
): Promise<FrameReader> {
  const reader = createFrameReader(source.nonce);
  await readInto(reader, connection, { source, follow: true, onFrame }).catch(() => undefined);
  return reader;
}

/**
 * Reads the log of a container that has ended, again while it lacks the end that is to be expected. A log that cannot be read is one that
 * has no end.
 *
 * @param isExpected whether the supervisor ended by itself, so that its last frame must have been written.
 * @throws the signal's reason where it was aborted.
 */
export async function collectLog(connection: KubeConnection, source: LogSource, isExpected: boolean): Promise<FrameReader> {
  for (let tries = 0; ; tries++) {
    const reader = createFrameReader(source.nonce);
    await readInto(reader, connection, { source, follow: false, onFrame: () => undefined }).catch(() => undefined);
    const wait = WAITS_MILLISECONDS[tries];
    if (reader.end().state === 'whole' || !isExpected || wait === undefined) return reader;
    await sleep(wait, undefined, { signal: source.signal }).catch(() => source.signal.throwIfAborted());
  }
}

async function readInto(
  reader: FrameReader,
  connection: KubeConnection,
  { source, follow, onFrame }: { source: LogSource; follow: boolean; onFrame: (reader: FrameReader) => void },
): Promise<void> {
  const log = podLog(connection, { ...source, follow, mostBytes: MOST_LOG_BYTES });
  for await (const line of linesOf(log, MOST_LINE_BYTES)) {
    reader.take(line);
    onFrame(reader);
    if (follow && reader.end().state === 'whole') return;
  }
}
