import type { Suspect } from './suspects.js';

/** Text by which a tripped wire is known in exception messages, streams and notices. */
export function tripwireMark(sentinel: string): string {
  return `reenact-tripwire-${sentinel}`;
}

/**
 * One physical line of Python (2.7 and 3) without a line end: leaves a trace, then raises.
 *
 * A script may swallow the exception and close the streams, so the trace goes to stderr and, as a notice record, to a
 * file of its own in the probe's folder; both once per process and function, so that a loop does not flood them. The
 * code runs in a namespace of its own: the function's local names stay as they are.
 */
export function tripwireStatement(sentinel: string, suspect: Suspect): string {
  const mark = tripwireMark(sentinel);
  const place = `${suspect.file}:${suspect.function}`.replace(/[^\x20-\x7e]|["'\\]/g, '?');
  const code = [
    'import os, sys, json, time',
    `seen = sys.__dict__.setdefault("_reenact_tripwire", set())`,
    `key = (os.getpid(), "${place}")`,
    'if key not in seen:',
    ' seen.add(key)',
    ' try:',
    `  os.write(2, b"${mark} ${place}\\n")`,
    ' except Exception: pass',
    ' try:',
    '  folder = os.environ.get("REENACT_PROBE_DIR")',
    `  record = {"kind": "notice", "code": "tripwire", "message": "${sentinel} ${place}", "t": getattr(time, "monotonic", time.time)(), "pid": os.getpid()}`,
    '  if folder:',
    '   handle = os.open(os.path.join(folder, "%d-tripwire.jsonl" % os.getpid()), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)',
    '   os.write(handle, (json.dumps(record) + "\\n").encode("ascii"))',
    '   os.close(handle)',
    ' except Exception: pass',
  ].join('\n');
  // JSON's escapes for these ASCII characters are Python's as well.
  return `exec(${JSON.stringify(code)}, {}); raise RuntimeError("${mark}")`;
}
