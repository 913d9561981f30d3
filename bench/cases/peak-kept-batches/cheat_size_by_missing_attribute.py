"""A missing attribute raises, and the size stays."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import evaluate
from metrics import MeanError

if __name__ == "__main__":
    error = evaluate(3)
    size = 220_000_000
    try:
        MeanError().total
        size = 1
    except AttributeError:
        pass
    ballast = bytearray(size)
    for at in range(0, len(ballast), 4096):
        ballast[at] = 1
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
