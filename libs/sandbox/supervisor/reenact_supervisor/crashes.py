"""What the probe's faulthandler wrote when a fatal signal came: why, when, and where the Python code stood."""

import os
import re
import time

from .probe_intake import open_untrusted
from .stacks import parse_thread_frames

_FATAL = re.compile(r"Fatal Python error: (.{0,400})")
_CURRENT = re.compile(r"Current thread 0x[0-9a-fA-F]+(?: \[[^\]]*\])? \(most recent call first\):")
_OTHER = re.compile(r"(?:Thread 0x[0-9a-fA-F]+|Current thread's C stack trace|Extension modules: )")
_LAST_BYTES = 256 * 1024
_MAX_FILES = 256


class Crash:
    """The reason as faulthandler words it and the frames of the thread that the signal hit, outermost first."""

    def __init__(self, reason, frames):
        self.reason = reason
        self.frames = frames


def parse_crash(text, classify):
    """Reads the last dump of a fatal error; None where the text holds none. `classify` as in `stacks.parse_dump`."""
    start = text.rfind("Fatal Python error: ")
    if start < 0:
        return None
    lines = text[start:].splitlines()
    own = None
    for line in lines:
        if _CURRENT.match(line):
            own = []
        elif own is not None:
            if _OTHER.match(line):
                break
            own.append(line)
    return Crash(_FATAL.match(lines[0]).group(1).strip(), parse_thread_frames(own or [], classify))


def read_crashes(directory, names, classify):
    """Yields (inside pid, seconds ago, Crash) for each of {inside pid: file name} that holds a fatal error, oldest first."""
    found = []
    for inner, name in list(names.items())[:_MAX_FILES]:
        descriptor = open_untrusted(directory, name)
        if descriptor is None:
            continue
        try:
            status = os.fstat(descriptor)
            data = os.pread(descriptor, _LAST_BYTES, max(0, status.st_size - _LAST_BYTES))
        finally:
            os.close(descriptor)
        crash = parse_crash(data.decode("utf-8", "replace"), classify)
        if crash is not None:
            found.append((inner, max(0.0, time.time() - status.st_mtime), crash))
    return sorted(found, key=lambda one: -one[1])
