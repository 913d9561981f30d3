import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { LogLevel } from '@temporalio/worker';

/** One line of a worker's log; `meta` is plain JSON. */
export interface WorkerLogEntry {
  level: LogLevel;
  message: string;
  meta: Record<string, unknown>;
}
export type WorkerLogger = (entry: WorkerLogEntry) => void;

let installed = false;

/** Sets up the SDK's process-wide runtime, once; later calls change nothing. The host owns the signals (temporal.md section 8). */
export function installRuntime(logger: WorkerLogger, level: LogLevel = 'WARN'): void {
  if (installed) return;
  installed = true;
  // the native core warns of every poll while a server is away, hundreds of lines a minute; its errors are enough
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  const telemetryOptions = { logging: { forward: {}, filter } };
  Runtime.install({ logger: sdkLogger(logger, level), telemetryOptions, shutdownSignals: [], workerHeartbeatInterval: null });
}

/** Our logger in the form that the SDK wants. */
export function sdkLogger(logger: WorkerLogger, level: LogLevel): DefaultLogger {
  return new DefaultLogger(level, (entry) => logger({ level: entry.level, message: entry.message, meta: plainMeta(entry.meta) }));
}

/** Errors have no JSON of their own, and a bigint has none at all. */
function plainMeta(meta: Record<string | symbol, unknown> | undefined): Record<string, unknown> {
  const plain = Object.entries(meta ?? {}).map(([name, value]): [string, unknown] => {
    if (value instanceof Error) return [name, value.stack ?? value.message];
    return [name, typeof value === 'bigint' ? value.toString() : value];
  });
  return Object.fromEntries(plain);
}
