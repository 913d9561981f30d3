"""Exceptions that ended something, and those that a launcher or the program caught and printed."""

import atexit
import sys

from reenact_probe import audit, recorder
from reenact_probe.frames import frame, frames_of
from reenact_probe.guard import disguise, guarded
from reenact_probe.imports import after_import

_LONGEST_MESSAGE = 8192
_MOST_CAUSES = 8
_MOST_FRAMES_OF_CAUSE = 20
_MOST_NOTES = 16
_MOST_MEMBERS = 10
#: A stronger way of ending is recorded although a weaker one of the same exception was recorded before.
_STRENGTH = {"reported": 0, "child": 1, "thread": 1, "uncaught": 2}
#: Exceptions recorded of one process until those of this strength are left out.
_MOST_BY_STRENGTH = (200, 1000, 5000)
#: Functions of launchers that catch what ends a worker and print or hand it on.
_LAUNCHERS = (
    ("_bootstrap", "multiprocessing/process.py", "child"),
    ("_wrap", "torch/multiprocessing/spawn.py", "child"),
    ("_bootstrap_inner", "threading.py", "thread"),
)

_SEEN = {}
_AFTER = []


def after_record(function):
    """Call `function(error, traceback)` after each exception that is recorded, in the same thread."""
    _AFTER.append(function)


def _text(value):
    try:
        return str(value)[:_LONGEST_MESSAGE]
    except Exception:
        return "<str() of the exception failed>"


def _name(kind):
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def _notes(error):
    notes = getattr(error, "__notes__", None)
    return [_text(note) for note in notes[:_MOST_NOTES]] if isinstance(notes, (list, tuple)) else []


def _all_frames(error, traceback, sources, *most):
    frames = frames_of(traceback, sources, *most)
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        # The place that Python prints as the last entry is no frame: nothing ran there.
        frames.append(frame(error.filename, error.lineno, None, sources))
    return frames


def _causes(error, sources):
    causes = []
    seen = {id(error)}
    while len(causes) < _MOST_CAUSES:
        link = "cause" if error.__cause__ is not None else "context"
        hidden = link == "context" and error.__suppress_context__
        error = error.__cause__ if link == "cause" else error.__context__
        if error is None or hidden or id(error) in seen:
            break
        seen.add(id(error))
        frames = _all_frames(error, error.__traceback__, sources, _MOST_FRAMES_OF_CAUSE)
        causes.append({"type": _name(type(error)), "message": _text(error), "frames": frames, "link": link})
    return causes


def _first_time(error, how):
    """Whether this exception was not recorded yet in a way as strong; holds no reference to it."""
    key = (id(error), type(error).__name__, hash(_text(error)))
    strength = _STRENGTH[how]
    if _SEEN.get(key, -1) >= strength or len(_SEEN) >= _MOST_BY_STRENGTH[strength]:
        return False
    _SEEN[key] = strength
    return True


def record(error, traceback, how):
    """Write one exception, and the members of an exception group after it. SystemExit is an end, not an exception."""
    if not isinstance(error, BaseException) or isinstance(error, SystemExit) or not _first_time(error, how):
        return
    sources = {}
    frames = _all_frames(error, traceback, sources)
    kind = type(error)
    recorder.write(
        "exception",
        {
            "type": _name(kind),
            "bases": [base.__name__ for base in kind.__mro__[1:] if base is not object],
            "message": _text(error),
            "notes": _notes(error),
            "frames": frames,
            "causes": _causes(error, sources),
            "how": how,
            "raisedIn": frames[-1]["place"] if frames else "other",
        },
    )
    for function in _AFTER:
        function(error, traceback)
    members = getattr(error, "exceptions", None)
    if isinstance(members, tuple) and kind.__name__.endswith("ExceptionGroup"):
        for member in members[:_MOST_MEMBERS]:
            record(member, getattr(member, "__traceback__", None), how)


_record_safely = guarded(record)


def _on_excepthook(hook, kind, error, traceback):
    record(error, traceback, "uncaught")


def _on_unraisable(hook, unraisable):
    in_thread = "in thread started by" in (unraisable.err_msg or "")
    record(unraisable.exc_value, unraisable.exc_traceback, "thread" if in_thread else "reported")


def _watch_threads(threading):
    """Record what ends a thread before the program's own `threading.excepthook` sees it."""
    original = threading._make_invoke_excepthook

    def _make_invoke_excepthook():
        invoke = original()

        def invoke_excepthook(thread):
            error = sys.exc_info()[1]
            _record_safely(error, getattr(error, "__traceback__", None), "thread")
            error = None
            invoke(thread)

        return disguise(invoke_excepthook, invoke)

    threading._make_invoke_excepthook = disguise(_make_invoke_excepthook, original)


def _how(code):
    filename = code.co_filename.replace("\\", "/")
    for function, ending, how in _LAUNCHERS:
        if code.co_name == function and filename.endswith(ending):
            return how
    return "reported"


def _watch_printing(traceback):
    """Record what is printed or formatted through `traceback`: launchers of workers, logging, the program itself."""
    for name in ("print_exc", "format_exc", "print_exception", "format_exception"):
        setattr(traceback, name, _printing(getattr(traceback, name)))


def _printing(original):
    def printing(*arguments, **named):
        given = list(arguments[:2]) + [named.get("value"), named.get("exc")]
        errors = [value for value in given if isinstance(value, BaseException)]
        error = errors[0] if errors else (sys.exc_info()[1] if original.__name__.endswith("_exc") else None)
        if error is not None:
            _record_safely(error, error.__traceback__, _how(sys._getframe(1).f_code))
        del given, errors, error
        return original(*arguments, **named)

    return disguise(printing, original)


def _watch_hook_before_audit():
    """Python 3.7 has no audit event: put a recording hook in place of both names of the standard one."""
    original = sys.__excepthook__

    def excepthook(kind, error, traceback):
        _record_safely(error, traceback, "uncaught")
        original(kind, error, traceback)

    sys.__excepthook__ = disguise(excepthook, original)
    if sys.excepthook is original:
        sys.excepthook = sys.__excepthook__


def _record_last():
    """At the end of the process: the exception that ended it, where a replaced hook kept it from us (Python 3.7)."""
    error = getattr(sys, "last_value", None)
    if error is not None:
        _record_safely(error, error.__traceback__, "uncaught")


def install():
    """Watch the ways in which an exception can end a program, a thread or a worker."""
    if hasattr(sys, "addaudithook"):
        audit.on("sys.excepthook", _on_excepthook)
        audit.on("sys.unraisablehook", _on_unraisable)
        after_import("threading", _watch_threads)
    else:
        _watch_hook_before_audit()
        atexit.register(_record_last)
    after_import("traceback", _watch_printing)
