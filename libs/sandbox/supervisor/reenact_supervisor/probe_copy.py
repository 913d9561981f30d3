"""A copy of the probe for one interpreter, with its byte code: candidates may not write there, and every one of their
interpreters loads it, so compiling it each time would be paid by every process of every trial."""

import hashlib
import os
import subprocess

from .workspace import copy_readable, remove_tree

# What lies beside the probe but is no part of it; on PYTHONPATH it would hide packages of the subject.
_NO_PART = ("tests", "__pycache__")
_COMPILE_SECONDS = 60


def probe_copy(source, interpreter, version, cache_directory):
    """Returns the directory of the copy; makes it when this probe was never compiled for this version of Python."""
    key = hashlib.sha256(repr([version, _stamps(source)]).encode()).hexdigest()[:16]
    target = os.path.join(cache_directory, "probe-" + key)
    if os.path.isdir(target):
        return target
    aside = "%s.%d" % (target, os.getpid())
    copy_readable(source, aside, _NO_PART)
    _compile(interpreter, aside)
    try:
        os.rename(aside, target)
    except OSError:
        remove_tree(aside)
    return target


def _stamps(source):
    stamps = []
    for root, directories, files in os.walk(source):
        directories[:] = sorted(name for name in directories if name not in _NO_PART)
        for name in sorted(files):
            path = os.path.join(root, name)
            with open(path, "rb") as handle:
                stamps.append((os.path.relpath(path, source), hashlib.sha256(handle.read()).hexdigest()))
    return stamps


def _compile(interpreter, directory):
    """Without the site module, so that no code of the environment runs outside the sandbox; a failure costs only time."""
    program = "import compileall, sys; compileall.compile_dir(sys.argv[1], quiet=2)"
    try:
        subprocess.run(
            [interpreter, "-E", "-s", "-S", "-c", program, directory],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_COMPILE_SECONDS,
            cwd="/", env={"PATH": "/usr/bin:/bin"},
        )
    except (OSError, subprocess.SubprocessError):
        pass
