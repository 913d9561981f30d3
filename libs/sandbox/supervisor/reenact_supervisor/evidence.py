"""Writes the evidence stream: one JSON record a line, aside, closed by an END record and renamed into place."""

import hashlib
import json
import os
import time


class EvidenceWriter:
    def __init__(self, directory):
        self._final = os.path.join(directory, "evidence.jsonl")
        self._aside = "%s.%d.part" % (self._final, os.getpid())
        self.begin(open(self._aside, "wb"))

    def begin(self, handle):
        """Starts the stream in an open file."""
        self._handle = handle
        self._digest = hashlib.sha256()
        self._sequence = 0
        self.began = time.monotonic()

    def now(self):
        """Seconds since the trial began; where that moment came from another machine's clock, it may seem to lie ahead."""
        return max(0.0, time.monotonic() - self.began)

    def write(self, kind, source="supervisor", t=None, **fields):
        """Appends one record; fields that are None are left out unless the schema knows them as nullable."""
        record = {"seq": self._sequence, "t": round(self.now() if t is None else t, 6), "source": source, "kind": kind}
        record.update(fields)
        # ASCII keeps lone surrogates and line separators harmless for every reader.
        line = json.dumps(record, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        self._digest.update(line)
        self._handle.write(line)
        self._sequence += 1

    def finish(self, left_behind):
        """Writes the END record (its checksum covers every byte before it) and puts the stream in its place."""
        self.write_end(left_behind)
        self._handle.flush()
        os.fsync(self._handle.fileno())
        self._handle.close()
        os.rename(self._aside, self._final)
        return self._final

    def write_end(self, left_behind):
        """Writes the END record."""
        self.write("end", records=self._sequence, sha256=self._digest.hexdigest(), leftBehind=left_behind)

    def discard(self):
        """Removes what was written: a trial that was broken off leaves no evidence."""
        self._handle.close()
        try:
            os.unlink(self._aside)
        except FileNotFoundError:
            pass
