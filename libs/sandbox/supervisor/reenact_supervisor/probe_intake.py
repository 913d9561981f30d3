"""Collects what the probes append to their files in the probe directory; all of it is untrusted."""

import itertools
import json
import os
import re
import stat

from .probe_records import acceptable, integer

_NAME = re.compile(r"\d+-[\w.]+\.jsonl\Z", re.ASCII)
_FILE_NAME = re.compile(r"[\w.-]{1,120}\Z", re.ASCII)
# Any code may write such a file unseen, so it holds nothing but a tripwire's own trace.
_TRIPWIRE = "-tripwire.jsonl"
_READ_BYTES = 1024 * 1024
_LINE_BYTES = 4 * 1024 * 1024
_TOTAL_BYTES = 64 * 1024 * 1024
_MAX_FILES = 4096
_MAX_ENTRIES = 20000
_MAX_VOID_NOTICES = 20


def open_untrusted(directory, name):
    """Opens a regular file that hostile code may have put there; None when it is anything else or gone."""
    try:
        descriptor = os.open(os.path.join(directory, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return descriptor


def _integer(digits):
    """Refuses what JSON readers would round, before the conversion of a very long number costs its quadratic time."""
    if len(digits) > 17:
        raise ValueError("integer too long")
    return int(digits)


class ProbeIntake:
    """
    `ready` maps the pid inside to (signal, file name) of processes that announced their stack dumps, `fatal` to the name
    of the file that takes the dump of a fatal signal.
    """

    def __init__(self, directory, evidence, tags_of):
        self._directory = directory
        self._evidence = evidence
        self._tags_of = tags_of
        self._offsets = {}
        self._rests = {}
        self._left = _TOTAL_BYTES
        self._void = 0
        self.ready = {}
        self.fatal = {}

    def collect(self):
        """Takes over what is new; returns the number of accepted records."""
        return sum([self._collect_file(name) for name in self._names()])

    def _names(self):
        """Bounded, as the folder may be flooded; the files known already come first."""
        found = dict.fromkeys(self._offsets)
        try:
            with os.scandir(self._directory) as entries:
                for entry in itertools.islice(entries, _MAX_ENTRIES):
                    if _NAME.match(entry.name):
                        found[entry.name] = None
        except OSError:
            pass
        return list(found)[:_MAX_FILES]

    def drain(self):
        """Takes everything that is left, also a last line without its end."""
        while self.collect():
            pass
        for name, rest in list(self._rests.items()):
            if rest:
                self._take(rest, name)
                self._rests[name] = b""

    def _collect_file(self, name):
        descriptor = open_untrusted(self._directory, name)
        if descriptor is None:
            return 0
        try:
            offset = self._offsets.get(name, 0)
            data = os.pread(descriptor, min(_READ_BYTES, self._left), offset)
        finally:
            os.close(descriptor)
        if not data:
            return 0
        self._left -= len(data)
        if self._left <= 0:
            self._evidence.write("notice", code="probe-output-cut", message="more than %d bytes of probe records" % _TOTAL_BYTES)
        self._offsets[name] = offset + len(data)
        lines = (self._rests.get(name, b"") + data).split(b"\n")
        rest = lines.pop()
        self._rests[name] = rest if len(rest) <= _LINE_BYTES else b""
        return sum([self._take(line, name) for line in lines if line]) or (1 if rest else 0)

    def _take(self, line, name):
        try:
            record = json.loads(line.decode("utf-8", "strict"), parse_int=_integer)
            fits = acceptable(record) and (not name.endswith(_TRIPWIRE) or record.get("code") == "tripwire")
        except (ValueError, RecursionError):
            fits = False
        if not fits:
            self._note_void(line)
            return 0
        self._write(record)
        return 1

    def _write(self, record):
        kind = record.pop("kind")
        t = min(max(record.pop("t") - self._evidence.began, 0.0), self._evidence.now())
        if kind == "notice" and record["code"] == "dump-ready":
            self._announce(record)
        fields = dict(self._tags_of(record["pid"]), **record)
        self._evidence.write(kind, source="script" if kind == "obs" else "probe", t=t, **fields)

    def _announce(self, record):
        try:
            told = json.loads(record["message"])
        except (ValueError, RecursionError):
            return
        if not isinstance(told, dict):
            return
        number, name = told.get("signal"), told.get("file")
        if integer(number) and 0 < number < 65 and isinstance(name, str) and _FILE_NAME.match(name):
            self.ready[record["pid"]] = (number, name)
        fatal = told.get("fatalFile")
        if isinstance(fatal, str) and _FILE_NAME.match(fatal):
            self.fatal[record["pid"]] = fatal

    def _note_void(self, line):
        self._void += 1
        if self._void <= _MAX_VOID_NOTICES:
            message = line[:200].decode("utf-8", "replace")
            self._evidence.write("notice", code="probe-record-void", message=message)
