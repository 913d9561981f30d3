import type { Frame, ReportedException } from '@reenact/domain';

/** Folders of installed distributions and of the interpreter, on every platform. */
const FOREIGN =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d|lib64[\\/]python\d|Python\d{2,3}[\\/]lib|pyenv|\.venv|venv|envs)(?:[\\/]|\d|\.|$)/i;
const INTERNAL = /^<(?:frozen|__array_function__|string|stdin)/;

/** True when the frame's file lies in no installed distribution and not in the interpreter. */
export function isProjectFrame(frame: Frame): boolean {
  return !FOREIGN.test(frame.file) && !INTERNAL.test(frame.file);
}

/** Frames of the reporter's own code, outermost first. */
export function projectFrames(exception: ReportedException): Frame[] {
  return exception.frames.filter(isProjectFrame);
}

/** The exception at the root: the innermost one that a wrapper quotes or that another was raised from. */
export function rootException(exception: ReportedException): ReportedException {
  let root = exception;
  while (root.cause !== undefined && root.causeKind === 'cause' && quotesCause(root)) root = root.cause;
  return root;
}

/** Wrappers pass on the exception of another process; an ordinary `raise … from` is the program's own signal. */
function quotesCause(exception: ReportedException): boolean {
  // A pool raises the worker's own exception again, with the worker's trace as its cause.
  if (exception.cause?.type === exception.type && exception.cause.message === exception.message) return true;
  return (
    /ProcessRaisedException|ChildFailedError|RemoteTraceback|WorkerError/.test(exception.type) || /^Caught \w+ in /.test(exception.message)
  );
}
