"""Where a source file lies: in the subject, the script, a dependency, the standard library, or elsewhere."""

import os
import sys

_DEPENDENCY_FOLDERS = ("/site-packages/", "/dist-packages/")
_PROBE_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_PROBE_LOADER = os.path.join(os.path.dirname(_PROBE_FOLDER.rstrip(os.sep)), "sitecustomize.py")
#: Relative names of code objects go back to the folder in which the interpreter was started.
_START_FOLDER = os.getcwd()
_MOST_KNOWN = 20000
#: Kept from before the program could replace it.
_getcwd = os.getcwd


def _roots(path):
    if not path:
        return ()
    plain = os.path.normpath(os.path.join(_START_FOLDER, path))
    return tuple({root.rstrip(os.sep) + os.sep for root in (plain, os.path.realpath(plain))})


_SUBJECT = _roots(os.environ.get("PROJECT_DIR"))
_SCRIPT = _roots(os.environ.get("REENACT_SCRIPT_DIR"))
_LIBRARY = _roots(os.path.dirname(os.__file__))
_KNOWN = {}


def place_of(filename):
    """(place, name to report, absolute path or None) of a file name out of a code object or a warning.

    A name inside subject or script is relative to that folder; the place of the probe's own files is None.
    """
    known = _KNOWN.get(filename)
    if known is None:
        known = _classify(filename)
        if len(_KNOWN) < _MOST_KNOWN:
            _KNOWN[filename] = known
    return known


def _classify(filename):
    if filename.startswith("<"):
        return ("standard-library" if filename.startswith("<frozen ") else "other", filename, None)
    path = os.path.normpath(os.path.join(_START_FOLDER, filename))
    if path.startswith(_PROBE_FOLDER) or path == _PROBE_LOADER:
        return (None, path, path)
    for place, roots in (("script", _SCRIPT), ("subject", _SUBJECT)):
        for root in roots:
            # A virtual environment inside the subject is no part of it.
            if path.startswith(root) and not _is_dependency(path[len(root) - 1 :]):
                return (place, path[len(root) :], path)
    if _is_dependency(path):
        return ("dependency", path, path)
    return ("standard-library" if path.startswith(_LIBRARY) else "other", path, path)


def _is_dependency(path):
    return any(folder in path for folder in _DEPENDENCY_FOLDERS)


def subject_file(filename):
    """The subject-relative name of a file name, or None for anything that is not the subject's own."""
    place, name, _ = place_of(filename)
    return name if place == "subject" else None


def subject_path(path):
    """As `subject_file`, for a path that the program itself used: relative to the present working directory."""
    text = os.fsdecode(path)
    full = os.path.normpath(text if text.startswith(os.sep) else os.path.join(_getcwd(), text))
    return subject_file(full), full


def has_subject():
    """Whether this trial named a subject folder."""
    return bool(_SUBJECT)


def subject_holds(module):
    """Whether the subject has a top-level module of this name."""
    ends = (module + ".py", os.path.join(module, "__init__.py"))
    return any(os.path.exists(os.path.join(root, folder, end)) for root in _SUBJECT for folder in ("", "src") for end in ends)


def caller():
    """The innermost frame outside probe and standard library: (place, text, names of library files passed).

    The text is `file:line in function`. Place None: there is no such frame.
    """
    passed = []
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        place, name, _ = place_of(code.co_filename)
        if place == "standard-library":
            passed.append(name)
        elif place is not None:
            return place, "%s:%d in %s" % (name, frame.f_lineno, code.co_name), passed
        frame = frame.f_back
    return None, "", passed
