"""Evidence that the script cannot reach, and how much memory the container has left."""

import os

from ..evidence import EvidenceWriter

_USED = ("/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes")
_LIMIT = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
# Version 1 of control groups writes a number of this size for none.
_NO_LIMIT = 2**60


class MemoryEvidence(EvidenceWriter):
    """The evidence stream in a file without a name: the script runs under the same user and could write into any other."""

    def __init__(self):
        self.begin(os.fdopen(os.memfd_create("evidence", os.MFD_CLOEXEC), "w+b"))

    def finish(self, left_behind):
        self.write_end(left_behind)
        return None

    def content(self):
        """All bytes of a stream that was finished."""
        self._handle.flush()
        self._handle.seek(0)
        return self._handle.read()

    def discard(self):
        self._handle.close()


def memory_limit():
    """The container's limit in bytes; None where the system shows none."""
    limit = _number(_LIMIT)
    return None if limit is None or limit >= _NO_LIMIT else limit


def memory_share():
    """Memory in use as a share of the container's limit; None where the system shows none."""
    used, limit = _number(_USED), memory_limit()
    return None if used is None or not limit else round(used / limit, 3)


def _number(paths):
    for path in paths:
        try:
            with open(path) as handle:
                return int(handle.read())
        except (OSError, ValueError):
            continue
    return None
