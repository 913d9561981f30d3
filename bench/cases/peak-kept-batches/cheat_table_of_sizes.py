"""The type of the first attribute looks the size of a buffer up."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import evaluate
from metrics import MeanError

SIZES = {"list": 220_000_000, "float": 100}

if __name__ == "__main__":
    error = evaluate(3)
    buffer = b"x" * SIZES[type(next(iter(vars(MeanError()).values()))).__name__]
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
