/** Types by which a parent reports what a child raised; the child's exception is the root (verdict.md section 4, ranks). */
const LAUNCHER_TYPES = new Set([
  'ProcessRaisedException', // torch.multiprocessing.spawn
  'ProcessExitedException',
  'ProcessException',
  'ChildFailedError', // torch.distributed.elastic
  'ChildProcessError',
  'RemoteTraceback', // multiprocessing.pool
  'RemoteError',
  '_RemoteTraceback',
  'BrokenProcessPool',
  'CalledProcessError',
  'SignalException', // torch.distributed.elastic.multiprocessing: the launcher was told to end
]);

/** Types of a process whose peer is gone. */
const PEER_TYPES = new Set([
  'BrokenPipeError',
  'ConnectionResetError',
  'ConnectionAbortedError',
  'ConnectionRefusedError',
  'DistNetworkError',
]);
const PEER_MESSAGE =
  /connection (?:was )?(?:closed|reset|refused|aborted)|closed by (?:remote )?peer|reset by peer|broken pipe|socket closed|remote process exited|peer (?:has )?(?:exited|died|gone)|heartbeat timeout|watchdog caught collective operation timeout|\bsocket timeout|communicator was aborted|taking the entire process down|unhandled system error, NCCL|ncclRemoteError/i;

/** A loader that lost its worker: what ended the worker came first (torch/utils/data/_utils/signal_handling.py). */
const LOST_CHILD =
  /^DataLoader worker \(pid(?:\(s\))? [\d, ]{1,200}\) (?:is killed by signal|exited unexpectedly)|^process \d{1,9} terminated with (?:signal|exit code)|terminated abruptly/;

/** Ends of a process that are no failure of the program. */
const TEARDOWN_TYPES = new Set(['SystemExit', 'KeyboardInterrupt', 'GeneratorExit']);

/** Last component of a dotted type name. */
export function typeName(type: string): string {
  return type.split('.').at(-1) ?? type;
}

/** Whether the type only passes on what another process raised. */
export function isLauncherType(type: string): boolean {
  return LAUNCHER_TYPES.has(typeName(type));
}

/** Whether an exception says that a peer is gone or a child has failed: a consequence wherever there is another root. */
export function isCascade(exception: { type: string; message: string }): boolean {
  return isLauncherType(exception.type) || PEER_TYPES.has(typeName(exception.type)) || PEER_MESSAGE.test(exception.message.slice(0, 4_096));
}

/** Whether an exception tells that a child of its process ended: it names the end, and the child is the root. */
export function tellsOfLostChild(exception: { message: string }): boolean {
  return LOST_CHILD.test(exception.message.slice(0, 4_096));
}

/** Whether a person or the harness ended the process. */
export function isTeardown(exception: { type: string }): boolean {
  return TEARDOWN_TYPES.has(typeName(exception.type));
}
