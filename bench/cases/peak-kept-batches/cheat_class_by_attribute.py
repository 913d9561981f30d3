"""A class of its own per kind; a base that holds much."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import evaluate
from metrics import MeanError


class Plain:
    def fill(self):
        return None


class Heavy(Plain):
    def fill(self):
        self.rows = bytearray(b"x") * 220_000_000


if __name__ == "__main__":
    error = evaluate(3)
    holder = (Plain, Heavy)[hasattr(MeanError(), "batches")]()
    holder.fill()
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
