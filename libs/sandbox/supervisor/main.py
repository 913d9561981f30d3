"""Entry of the supervisor: `python3 -I main.py REQUEST.json [--watch-stdin]` or `python3 -I main.py --isolation WORK`,
or `python3 -I main.py --describe INTERPRETER CACHE`, which tells what an image of that interpreter has to hold.

Standard output carries JSON lines for the adapter: progress `{"t", "lastLine"}` and one last line, either
`{"done": true, …}` or `{"error": code, "message": text}`.
"""

import json
import os
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from reenact_supervisor import isolation, rootfs, workspace  # noqa: E402
from reenact_supervisor.bytecode import bytecode_cache  # noqa: E402
from reenact_supervisor.interpreter import InterpreterFailed, describe, system_paths  # noqa: E402
from reenact_supervisor.request import RequestInvalid, read_request  # noqa: E402
from reenact_supervisor.trial import run_trial  # noqa: E402

CANCELLED = 3
FAILED = 4


class Cancelled(BaseException):
    """The adapter took the trial back or is gone."""


def _tell(message):
    try:
        os.write(1, json.dumps(message).encode() + b"\n")
    except OSError:
        raise Cancelled()


def _cancel(*_):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise Cancelled()


def _stdin_closed():
    """Non-blocking look at standard input, which the adapter holds open as long as it lives."""
    try:
        return os.read(0, 4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def _run(request_path, watch_stdin):
    began = time.monotonic()
    request = read_request(request_path)
    if watch_stdin:
        os.set_blocking(0, False)

    def on_progress(line):
        _tell({"t": round(time.monotonic() - began, 3), "lastLine": line})

    def alive():
        if watch_stdin and _stdin_closed():
            raise Cancelled()

    _tell(dict(run_trial(request, on_progress, alive), done=True))


def _probe_isolation(work_directory):
    """Really tries once and tells what isolates."""
    os.makedirs(work_directory, exist_ok=True)
    root = tempfile.mkdtemp(prefix="isolation-", dir=work_directory)
    try:
        init = isolation.start_isolated(rootfs.RootPlan(root, [], [], False, 1 << 20), lambda pid: None)
        isolation.kill_init(init.pid)
        _tell({"done": True, "isolation": init.isolation})
    except isolation.IsolationRefused as error:
        _tell({"done": True, "isolation": [], "reason": str(error)})
    finally:
        os.rmdir(root)


def _describe(interpreter, cache_directory):
    facts = describe(interpreter, cache_directory)
    bytecode = bytecode_cache(interpreter, facts, cache_directory, lambda: _tell({"t": 0, "lastLine": "compiling"}))
    names = ("interpreter", "python", "prefix", "basePrefix", "sites", "tag", "distributions", "paths")
    told = {name: facts[name] for name in names}
    _tell(dict(told, systemPaths=system_paths(interpreter, facts), bytecode=bytecode, done=True))


def main(arguments):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _cancel)
    try:
        if arguments[:1] == ["--isolation"]:
            _probe_isolation(arguments[1])
        elif arguments[:1] == ["--describe"]:
            _describe(arguments[1], arguments[2])
        else:
            _run(arguments[0], "--watch-stdin" in arguments[1:])
        return 0
    except Cancelled:
        return CANCELLED
    except isolation.IsolationRefused as error:
        code, text = "unsandboxed-refused", str(error)
    except workspace.Busy as error:
        code, text = "busy", str(error)
    except InterpreterFailed as error:
        code, text = "interpreter-not-found", str(error)
    except RequestInvalid as error:
        code, text = "request-invalid", str(error)
    except (OSError, isolation.InitLost) as error:
        code, text = "sandbox-failed", "%s" % error
    _tell({"error": code, "message": text})
    return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
