"""Stack dumps of the trial's interpreters: asks for them by the signal that a probe announced, and reads them."""

import hashlib
import json
import os
import re

from . import linux, processes
from .probe_intake import open_untrusted

_THREAD = re.compile(r"(?:Current thread|Thread) 0x[0-9a-fA-F]+(?: \[([^\]]*)\])? \(most recent call first\):")
_FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')
_DUMP_BYTES = 256 * 1024
_MAX_FRAMES = 100


class Dump:
    """The Python stacks of one process at one moment; frames outermost first."""

    def __init__(self, threads):
        self.threads = threads
        self.signature = signature_of(threads)

    def innermost(self):
        """The frame where the process stands: the innermost one of its own code, else of a dependency, else any."""
        for places in (("subject", "script"), ("dependency",), None):
            for thread in self.threads:
                for frame in reversed(thread["frames"]):
                    if places is None or frame["place"] in places:
                        return frame
        return None

    def has_own_code(self):
        """False for mere helpers such as multiprocessing's resource tracker."""
        frames = [frame for thread in self.threads for frame in thread["frames"]]
        return any(frame["place"] in ("subject", "script", "dependency") for frame in frames)


def signature_of(threads):
    """Equal for equal stacks; thread ids and the order of threads do not count."""
    keys = sorted(json.dumps([[f["file"], f.get("line"), f.get("function")] for f in thread["frames"]]) for thread in threads)
    return hashlib.sha256("\n".join(keys).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def parse_dump(text, classify):
    """Reads faulthandler's text; `classify(path)` gives (file, place), place None for the probe's own frames."""
    threads, lines = [], None
    for line in text.splitlines():
        match = _THREAD.match(line)
        if match:
            lines = []
            threads.append((match.group(1) or "thread-%d" % len(threads), lines))
        elif lines is not None:
            lines.append(line)
    read = [{"name": name, "frames": parse_thread_frames(own, classify)} for name, own in threads]
    return Dump([thread for thread in read if thread["frames"]])


def parse_thread_frames(lines, classify):
    """The frames that one thread's lines show, at most 100, outermost first."""
    frames = []
    for line in lines:
        match = _FRAME.match(line)
        if match and len(frames) < _MAX_FRAMES:
            file, place = classify(match.group(1))
            if place is not None:
                frames.append({"file": file, "line": int(match.group(2)[:9]), "function": match.group(3), "place": place})
    frames.reverse()
    return frames


class Classifier:
    """Tells by path where a file lies, as the evidence schema names the places."""

    def __init__(self, places, standard_library):
        self._places = places
        self._standard = tuple(path.rstrip("/") + "/" for path in standard_library)

    def __call__(self, path):
        for root, place in ((self._places.subject, "subject"), (self._places.script, "script")):
            if path.startswith(root + "/"):
                return path[len(root) + 1 :], place
        if path.startswith(self._places.probe + "/"):
            return path, None
        if "/site-packages/" in path or "/dist-packages/" in path:
            return path, "dependency"
        if path.startswith("<frozen ") or path.startswith(self._standard):
            return path, "standard-library"
        return path, "other"


def _ask(pid, number):
    """By a thread that only waits where there is one, as a look must not make a call of the program fail."""
    thread = processes.waiting_thread(pid)
    if thread is None:
        os.kill(pid, number)
    else:
        linux.signal_thread(pid, thread, number)


class StackDumper:
    """`outer_pids` maps inside to outside process ids of those alive."""

    def __init__(self, directory, classify):
        self._directory = directory
        self._classify = classify
        self._pending = {}

    def request(self, ready, outer_pids):
        """Signals every process that announced its dumps and is alive."""
        self._pending = {}
        for inner, (number, name) in ready.items():
            outer = outer_pids.get(inner)
            if outer is None or not processes.catches(outer, number):
                continue
            self._pending[inner] = (name, self._size(name))
            try:
                _ask(outer, number)
            except (OSError, ValueError):
                del self._pending[inner]

    def collect(self):
        """Returns {inside pid: Dump} of what was written since the request."""
        dumps = {}
        for inner, (name, offset) in self._pending.items():
            dump = parse_dump(self._text(name, offset), self._classify)
            if dump.threads:
                dumps[inner] = dump
        self._pending = {}
        return dumps

    def _size(self, name):
        descriptor = open_untrusted(self._directory, name)
        if descriptor is None:
            return 0
        try:
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def _text(self, name, offset):
        descriptor = open_untrusted(self._directory, name)
        if descriptor is None:
            return ""
        try:
            return os.pread(descriptor, _DUMP_BYTES, offset).decode("utf-8", "replace")
        finally:
            os.close(descriptor)
