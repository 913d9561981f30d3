"""Warnings that are really issued: those that the program's filters let through, each once."""

from reenact_probe import recorder
from reenact_probe.frames import frame
from reenact_probe.guard import disguise, guarded
from reenact_probe.imports import after_import

_MOST_WARNINGS = 500
_LONGEST_MESSAGE = 8192
_SEEN = set()


def _record(message, category, filename, line):
    text = str(message)[:_LONGEST_MESSAGE]
    kind = category if isinstance(category, type) else type(message)
    key = (kind, text, filename, line)
    if key in _SEEN or len(_SEEN) >= _MOST_WARNINGS:
        return
    _SEEN.add(key)
    name = "%s.%s" % (kind.__module__, kind.__qualname__)
    recorder.write("warning", {"category": name, "message": text, "frame": frame(filename, line, None, {})})


def _watch(warnings):
    """Record at the making of a WarningMessage, the last step before anything is shown.

    A wrapper around the showing functions would stand in the stack of a program that prints a traceback there.
    """
    original = warnings.WarningMessage.__init__
    record = guarded(_record)

    def __init__(self, message, category, filename, lineno, *more, **named):
        original(self, message, category, filename, lineno, *more, **named)
        record(message, category, filename, lineno)

    warnings.WarningMessage.__init__ = disguise(__init__, original)


def install():
    """Load `warnings` (a small module that the interpreter itself loads for -W) and watch it."""
    import warnings  # noqa: F401

    after_import("warnings", _watch)
