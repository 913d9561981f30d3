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
 * code runs in a namespace of its own: the function's local names stay as they are. The sentinel is written backwards,
 * so that a script which only shows the subject's text, or a traceback's code line, does not show the sentinel.
 */
export function tripwireStatement(sentinel: string, suspect: Suspect): string {
  const place = `${suspect.file}:${suspect.function}`.replace(/[^\x20-\x7e]|["'\\]/g, '?');
  const code = [
    'import os, sys, json, time',
    `mark = "${backwards(tripwireMark(sentinel))}"[::-1]`,
    `place = "${place}"`,
    'seen = sys.__dict__.setdefault("_reenact_tripwire", set())',
    'if (os.getpid(), place) not in seen:',
    ' seen.add((os.getpid(), place))',
    ' try:',
    '  os.write(2, ("%s %s\\n" % (mark, place)).encode("ascii"))',
    ' except Exception: pass',
    ' try:',
    '  folder = os.environ.get("REENACT_PROBE_DIR")',
    '  clock = getattr(time, "monotonic", time.time)',
    `  record = {"kind": "notice", "code": "tripwire", "message": "%s %s" % ("${backwards(sentinel)}"[::-1], place), "t": clock(), "pid": os.getpid()}`,
    '  if folder:',
    '   handle = os.open(os.path.join(folder, "%d-tripwire.jsonl" % os.getpid()), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)',
    '   os.write(handle, (json.dumps(record) + "\\n").encode("ascii"))',
    '   os.close(handle)',
    ' except Exception: pass',
  ].join('\n');
  // JSON's escapes for these ASCII characters are Python's as well.
  return `exec(${JSON.stringify(code)}, {}); raise RuntimeError("${backwards(tripwireMark(sentinel))}"[::-1])`;
}

function backwards(text: string): string {
  return [...text].reverse().join('');
}
