"""One pipe per first-level process and channel; bytes become lines, never merged over processes."""

import os

from .observations import parse_observation

LINE_BYTES = 16 * 1024
_READ_BYTES = 64 * 1024
# A stream of empty lines must not make evidence a hundred times as large as the output.
_BYTES_PER_LINE = 64
_LEAST_LINES = 1000


class Stream:
    """The reading end of one channel of one process. `tags` are the record fields that name the process."""

    def __init__(self, channel, tags, budget):
        self.channel = channel
        self.tags = tags
        self.last_line = ""
        self._budget = budget
        self._rest = b""
        self._descriptor, self.write_end = os.pipe()
        os.set_blocking(self._descriptor, False)
        self.open = True

    def fileno(self):
        return self._descriptor

    def close_write_end(self):
        os.close(self.write_end)

    def pump(self, evidence):
        """Reads what is there; returns the number of bytes, 0 when nothing was ready or the stream ended."""
        try:
            data = os.read(self._descriptor, _READ_BYTES)
        except BlockingIOError:
            return 0
        if not data:
            self.open = False
            self._flush(evidence)
            return 0
        kept = self._budget.take(len(data))
        if kept:
            self._feed(data[:kept], evidence)
        return len(data)

    def finish(self, evidence):
        """Writes out an unfinished line and closes."""
        self._flush(evidence)
        os.close(self._descriptor)
        self.open = False

    def _flush(self, evidence):
        if self._rest:
            self._emit(self._rest, True, evidence)
            self._rest = b""

    def _feed(self, data, evidence):
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            self._emit_cut(line, evidence)
        while len(self._rest) > LINE_BYTES:
            self._emit(self._rest[:LINE_BYTES], True, evidence)
            self._rest = self._rest[LINE_BYTES:]

    def _emit_cut(self, line, evidence):
        while len(line) > LINE_BYTES:
            self._emit(line[:LINE_BYTES], True, evidence)
            line = line[LINE_BYTES:]
        self._emit(line, False, evidence)

    def _emit(self, line, partial, evidence):
        if not self._budget.line():
            return
        text = line.decode("utf-8", "replace")
        if text.endswith("\r"):
            text = text[:-1]
        extra = {"partial": True} if partial else {}
        evidence.write("stream", channel=self.channel, line=text, **extra, **self.tags)
        self.last_line = text
        values = parse_observation(text)
        if values is not None:
            self._observe(values, evidence)

    def _observe(self, values, evidence):
        tags = dict(self.tags)
        rank = values.get("rank")
        if isinstance(rank, int) and not isinstance(rank, bool):
            tags["rank"] = rank
        evidence.write("obs", source="script", values=values, **tags)


class OutputBudget:
    """The cap over all streams of a trial."""

    def __init__(self, limit_bytes):
        self._left = limit_bytes
        self._lines_left = max(_LEAST_LINES, limit_bytes // _BYTES_PER_LINE)
        self.exceeded = False

    def line(self):
        """Counts a line; False once there were too many."""
        self._lines_left -= 1
        self.exceeded = self.exceeded or self._lines_left < 0
        return self._lines_left >= 0

    def take(self, wanted):
        kept = min(wanted, self._left)
        self._left -= kept
        self.exceeded = self.exceeded or kept < wanted
        return kept
