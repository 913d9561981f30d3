"""Things that an integrity rule wants to know: network, writes into the subject, reads of its text, the probe's folder."""

import os
import sys

from reenact_probe import audit, recorder
from reenact_probe.places import caller, has_subject, place_of, subject_path

#: Parts of the standard library that read source text for imports, tracebacks and the like.
_READERS = ("importlib", "linecache", "tokenize", "inspect", "runpy", "zipimport", "pkgutil", "traceback", "pdb")
_STATE = {"began": None}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_TRUNC
_IPV4_AND_6 = (2, 10)
#: Kept from before the program could replace it.
_lstat = os.lstat
_getcwd = os.getcwd


def _is_local(host):
    if isinstance(host, (bytes, bytearray)):
        host = host.decode("utf-8", "replace")
    if not isinstance(host, str) or host in ("", "localhost", "0.0.0.0", "::", "::1", os.uname().nodename):
        return True
    return host.startswith("127.") or host.startswith("::ffff:127.") or host.endswith(".localhost")


def _on_connect(socket, address):
    if int(getattr(socket, "family", 0)) in _IPV4_AND_6 and isinstance(address, tuple) and not _is_local(address[0]):
        recorder.notice("network", "connect %s port %s" % (address[0], address[1]))


def _on_lookup(host, *_):
    # Without a network the look-up fails first, and no connection is ever tried.
    if not _is_local(host):
        recorder.notice("network", "look up %s" % (host if isinstance(host, str) else repr(host)))


def _trial_began():
    """Time of the first probe of this trial, kept as the time of an empty file in the probe's folder."""
    if _STATE["began"] is None:
        path = os.path.join(recorder.directory(), "trial.start")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644))
        except FileExistsError:
            pass
        _STATE["began"] = os.stat(path).st_mtime
    return _STATE["began"]


def _note_change(path):
    if isinstance(path, int):
        return
    name, full = subject_path(path)
    if name is None or "__pycache__" in name:
        return
    try:
        status = _lstat(full)
    except OSError:
        return
    # Making files is allowed: one made during the trial has a change time not before its beginning, on the same clock.
    if status.st_ctime < _trial_began() and (status.st_mode & 0o170000) != 0o040000:
        recorder.notice("subject-write", name)


def _is_probe_asking():
    """Whether the code that caused the event is the probe's own: right after a fork nothing guards it."""
    frame = sys._getframe(1)
    while frame is not None and os.path.basename(frame.f_code.co_filename) in ("audit.py", "guard.py", "notices.py"):
        frame = frame.f_back
    return frame is None or place_of(frame.f_code.co_filename)[0] is None


def _guard_folder(path):
    """Say who touches a file of records; only the trace of a tripwire, which proves nothing but itself, is no matter."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    text = os.fsdecode(path)
    full = os.path.normpath(text if text.startswith(os.sep) else os.path.join(_getcwd(), text))
    if not full.startswith(recorder.directory() + os.sep) or full.endswith("-tripwire.jsonl") or _is_probe_asking():
        return
    place, where, _ = caller()
    recorder.notice("probe-folder", "%s by %s:%s" % (os.path.basename(full), place, where))


def _on_open(path, mode, flags):
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    _guard_folder(path)
    writing = any(letter in mode for letter in "wax+") if isinstance(mode, str) else bool((flags or 0) & _WRITING)
    if writing:
        _note_change(path)
        return
    text = os.fsdecode(path)
    if not text.endswith((".py", ".pyx", ".ipynb")):
        return
    name, _ = subject_path(text)
    if name is None:
        return
    place, _, passed = caller()
    by_machinery = any(reader in file for file in passed for reader in _READERS)
    if place in ("script", "subject", "other") and not by_machinery:
        recorder.notice("source-read", name)


def _on_two_paths(source, target, *_):
    _guard_folder(source)
    _guard_folder(target)
    _note_change(source)
    _note_change(target)


def _on_one_path(path, *_):
    _guard_folder(path)
    _note_change(path)


def install():
    """Watch sockets, and files of the subject where the trial names one."""
    audit.on("socket.connect", _on_connect)
    audit.on("socket.sendto", _on_connect)
    audit.on("socket.getaddrinfo", _on_lookup)
    audit.on("socket.gethostbyname", _on_lookup)
    if not has_subject():
        return
    _trial_began()
    audit.on("open", _on_open)
    for event in ("os.rename", "os.link"):
        audit.on(event, _on_two_paths)
    for event in ("os.remove", "os.truncate"):
        audit.on(event, _on_one_path)
