"""The processes that the supervisor itself starts: one for every rank of every step."""

import time


class Process:
    """A first-level process: one rank of one step."""

    def __init__(self, identifier, step, rank, argv):
        self.identifier = identifier
        self.argv = argv
        self.tags = {"step": step} if rank is None else {"step": step, "rank": rank}
        self.streams = []
        self.started = time.monotonic()
        self.pid = None
        self.exit = None
        self.recorded = False

    def failed(self):
        return self.exit is not None and self.exit["code"] != 0

    def end_state(self):
        """How it ended, in words."""
        return "exited %s" % (self.exit["code"] if self.exit["signal"] is None else self.exit["signal"])
