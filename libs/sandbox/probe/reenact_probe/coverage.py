"""Lines and functions of the subject that ran, in trials that ask for it (REENACT_COVERAGE=1)."""

import atexit
import os
import sys
from _collections import deque
from time import monotonic

from reenact_probe import exits, recorder
from reenact_probe.guard import guarded
from reenact_probe.imports import after_import
from reenact_probe.places import has_subject, subject_file

#: What was seen is written when a new function is entered, and else as often as this: a killed process loses no more.
_FLUSH_SECONDS = 0.02
#: Of the six tool ids 0, 1, 2 and 5 have owners by convention.
_TOOL = 4
_FUNCTION = 0x1 | 0x2

_LINES = {}
_FUNCTIONS = {}
#: (file, line or None, function or None) not yet written; appending and taking are atomic, so threads lose nothing.
_PENDING = deque()
_NAMES = {}
_STATE = {"flushed": 0.0}


def _see_line(name, line):
    seen = _LINES.setdefault(name, set())
    if line and line not in seen:
        seen.add(line)
        _PENDING.append((name, line, None))
        if monotonic() - _STATE["flushed"] > _FLUSH_SECONDS:
            flush()


def _see_function(name, code):
    function = getattr(code, "co_qualname", None) or _NAMES.get(code, code.co_name)
    seen = _FUNCTIONS.setdefault(name, set())
    if function not in seen and code.co_flags & _FUNCTION == _FUNCTION:
        seen.add(function)
        _PENDING.append((name, None, function))
        flush()


def _flush():
    _STATE["flushed"] = monotonic()
    files = {}
    while _PENDING:
        name, line, function = _PENDING.popleft()
        entry = files.setdefault(name, {"file": name, "lines": [], "functions": []})
        entry["lines" if function is None else "functions"].append(line if function is None else function)
    if files:
        recorder.write("coverage", {"files": list(files.values())})


flush = guarded(_flush)


def _monitor():
    """From Python 3.12: events of the interpreter, each switched off where it was seen once."""
    monitoring = sys.monitoring
    events = monitoring.events
    monitoring.use_tool_id(_TOOL, "reenact")

    def on_start(code, _offset):
        name = subject_file(code.co_filename)
        if name is not None:
            monitoring.set_local_events(_TOOL, code, events.LINE)
            _see_function(name, code)
        return monitoring.DISABLE

    def on_line(code, line):
        name = subject_file(code.co_filename)
        if name is not None:
            _see_line(name, line)
        return monitoring.DISABLE

    monitoring.register_callback(_TOOL, events.PY_START, on_start)
    monitoring.register_callback(_TOOL, events.LINE, on_line)
    monitoring.set_events(_TOOL, events.PY_START)


def _name_inner(code, prefix):
    """Qualified names of the functions inside a code object, for interpreters whose code objects do not know them."""
    for inner in code.co_consts:
        if hasattr(inner, "co_consts"):
            _NAMES[inner] = prefix + inner.co_name
            is_function = inner.co_flags & _FUNCTION == _FUNCTION
            _name_inner(inner, prefix + inner.co_name + (".<locals>." if is_function else "."))


def _trace_lines(frame, event, _argument):
    if event == "line":
        name = subject_file(frame.f_code.co_filename)
        if name is not None:
            _see_line(name, frame.f_lineno)
    return _trace_lines


def _trace_calls(frame, event, _argument):
    code = frame.f_code
    name = subject_file(code.co_filename)
    if name is None:
        return None
    if code.co_name == "<module>":
        _name_inner(code, "")
    _see_function(name, code)
    return _trace_lines


def install():
    """Begin to record; both ways cost the program time, so timing is never judged on these trials."""
    if not has_subject():
        return
    atexit.register(flush)
    exits.before_end(_flush)
    os.register_at_fork(before=flush)
    if hasattr(sys, "monitoring"):
        _monitor()
    else:
        sys.settrace(_trace_calls)
        after_import("threading", lambda threading: threading.settrace(_trace_calls))
