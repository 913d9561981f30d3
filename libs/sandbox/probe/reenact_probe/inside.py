"""Looks at and changes of the subject's code objects, and modules that stand in the place of others."""

import os
import sys
from os.path import abspath as _abspath

from reenact_probe import audit, recorder
from reenact_probe.places import caller, has_subject, place_of, subject_file, subject_holds

#: The program itself is no module in the place of another; kept from before it could say otherwise.
_MAIN = _abspath(sys.argv[0]) if getattr(sys, "argv", None) and sys.argv[0] else None
_CODE = ("__code__", "__defaults__", "__kwdefaults__")


def _subject_function(value):
    space = getattr(value, "__globals__", None)
    filename = space.get("__file__") if isinstance(space, dict) else None
    return getattr(value, "__name__", "?") if isinstance(filename, str) and subject_file(filename) else None


def _note(code, value):
    """Only what the script itself does: libraries look at signatures and line numbers all the time."""
    name = _subject_function(value)
    if name is None:
        return
    place, where, passed = caller()
    if place == "script" and not passed:
        recorder.notice(code, "%s by %s" % (name, where))


def _on_read(value, name, *_):
    if name in _CODE:
        _note("code-read", value)


def _on_change(value, name, *_):
    if name in _CODE:
        _note("code-write", value)


def _on_referents(values):
    for value in values:
        _note("code-read", value)


def _is_main(filename):
    return _MAIN is not None and _abspath(filename) == _MAIN


def note_shadow(filename):
    """A module that is run from a folder of its own and has the name of one of the subject or the standard library."""
    place, reported, path = place_of(filename)
    if place not in ("other", "subject") or path is None or _is_main(filename):
        return
    name, ending = os.path.splitext(os.path.basename(path))
    if name == "__init__":
        name = os.path.basename(os.path.dirname(path))
    hides = (place == "other" and subject_holds(name)) or name in getattr(sys, "stdlib_module_names", ())
    if ending == ".py" and hides:
        recorder.notice("shadowed-module", "%s by %s" % (name, reported))


def install():
    """Watch code objects, where the trial names a subject (Python 3.8 and newer)."""
    if not has_subject():
        return
    audit.on("object.__getattr__", _on_read)
    audit.on("object.__setattr__", _on_change)
    audit.on("gc.get_referents", _on_referents)
