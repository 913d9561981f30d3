"""The file that one process writes its records to: one JSON line per record, appended in one write."""

import os
from os import close, fstat, getpid, write as append
from time import monotonic

from reenact_probe.encoding import encode
from reenact_probe.ranks import rank

#: Descriptors of the probe are moved up here, so that the program gets the numbers it would get without the probe.
_LOWEST_DESCRIPTOR = 700
#: A process that writes more than this is cut off, all but the exception that ends it.
_MOST_RECORDS = 20000
_MOST_BYTES = 16 * 1024 * 1024
#: Notices of one code per process.
_MOST_NOTICES = 50
#: The program may go to another folder, or change its environment.
_DIRECTORY = os.path.abspath(os.environ.get("REENACT_PROBE_DIR", ""))
_MOST_WORDS = 64
_LONGEST_WORD = 512

_STATE = {"descriptor": -1, "identity": None, "path": "", "pid": 0, "records": 0, "bytes": 0, "notices": {}}


def directory():
    """The folder that the supervisor gave to the probe, as it was when this interpreter began."""
    return _DIRECTORY


def open_named(suffix):
    """Create a file of this process with an unguessable name; answer its descriptor, moved up, and its path."""
    name = "%d-%s%s" % (getpid(), os.urandom(8).hex(), suffix)
    path = os.path.join(directory(), name)
    return _move_up(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)), path


def _move_up(descriptor):
    try:
        import fcntl

        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LOWEST_DESCRIPTOR)
    except (ImportError, OSError):
        return descriptor
    close(descriptor)
    return moved


def open_file():
    """Open this process's record file (again after a fork). False where the folder is missing or not writable."""
    inherited = _STATE["descriptor"]
    try:
        descriptor, path = open_named(".jsonl")
        status = fstat(descriptor)
    except OSError:
        return False
    if inherited >= 0 and _is_ours(inherited):
        close(inherited)
    _STATE.update(descriptor=descriptor, path=path, identity=(status.st_dev, status.st_ino))
    _STATE.update(pid=getpid(), records=0, bytes=0, notices={})
    return True


def _is_ours(descriptor):
    try:
        status = fstat(descriptor)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == _STATE["identity"]


def write(kind, fields):
    """Append one record. `fields` follow the evidence schema of the kind; time, process and rank are added here."""
    if getpid() != _STATE["pid"]:
        return
    flooded = _STATE["records"] >= _MOST_RECORDS or _STATE["bytes"] >= _MOST_BYTES
    if flooded and fields.get("how") != "uncaught":
        return
    record = {"kind": kind, "t": monotonic(), "pid": _STATE["pid"]}
    known = rank()
    if known is not None:
        record["rank"] = known
    record.update(fields)
    line = (encode(record) + "\n").encode("ascii")
    # A program may close every descriptor (daemons do); its number may then be another file's.
    if not _is_ours(_STATE["descriptor"]):
        _STATE["descriptor"] = _move_up(os.open(_STATE["path"], os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC))
        if not _is_ours(_STATE["descriptor"]):
            return
    _STATE["records"] += 1
    _STATE["bytes"] += len(line)
    append(_STATE["descriptor"], line)


def write_process():
    """The record that this interpreter began, with its parent and its command line (cut to a bounded size)."""
    with open("/proc/self/cmdline", "rb") as source:
        words = source.read(65536).split(b"\0")[:-1]
    argv = [word.decode("utf-8", "replace")[:_LONGEST_WORD] for word in words[:_MOST_WORDS]]
    write("process", {"parent": os.getppid(), "argv": argv})


def notice(code, message):
    """A notice, at most 50 of one code in one process, equal ones once."""
    seen = _STATE["notices"].setdefault(code, set())
    if len(seen) >= _MOST_NOTICES or message in seen:
        return
    seen.add(message)
    write("notice", {"code": code, "message": message})
