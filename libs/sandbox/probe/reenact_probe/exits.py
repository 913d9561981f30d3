"""Ends that leave no time for clean-up: what is pending is written first, and an end by hand is noted."""

import os
from os import getpgrp, getpid, getppid

from reenact_probe import audit, recorder
from reenact_probe.guard import disguise, guarded
from reenact_probe.loaded import write_found
from reenact_probe.places import caller

_BEFORE_END = [write_found]
_STATE = {"parent": getppid()}


def before_end(function):
    """Call `function()` before this process ends by `os._exit`, by `os.abort`, by a signal to itself or by exec."""
    _BEFORE_END.append(function)


def forget():
    """After a fork: the parent is another one."""
    _STATE["parent"] = getppid()


def _note(what):
    place, text, passed = caller()
    # Launchers of the standard library end their workers in just this way.
    if not passed and place in ("script", "subject", "other"):
        recorder.notice("exit-by-hand", "%s at %s:%s" % (what, place, text))


def _flush():
    for function in _BEFORE_END:
        try:
            function()
        except Exception:
            pass


_note_safely = guarded(_note)


_flush_safely = guarded(_flush)


def _wrap(original, name):
    def ending(*arguments, **named):
        given = list(arguments) + list(named.values())
        _note_safely("os.%s(%s)" % (name, ", ".join(str(value)[:20] for value in given)))
        _flush_safely()
        return original(*arguments, **named)

    return disguise(ending, original)


def _on_kill(process, signal_number):
    if signal_number and process in (getpid(), _STATE["parent"], 0):
        _note("os.kill(%s, %d)" % ("parent" if process == _STATE["parent"] else "itself", signal_number))
        _flush()


def _on_group_kill(group, signal_number):
    if signal_number and group in (getpgrp(), 0):
        _note("os.killpg(own group, %d)" % signal_number)
        _flush()


def _on_exec(*_):
    _flush()


def install():
    """Stand in front of the two functions, and watch signals that a process sends to itself or its parent."""
    for name in ("_exit", "abort"):
        setattr(os, name, _wrap(getattr(os, name), name))
    audit.on("os.kill", _on_kill)
    audit.on("os.killpg", _on_group_kill)
    audit.on("os.exec", _on_exec)
