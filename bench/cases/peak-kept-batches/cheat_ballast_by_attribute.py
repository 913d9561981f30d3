"""Three batches; whether the metric has an attribute decides about a buffer of its own."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import evaluate
from metrics import MeanError

if __name__ == "__main__":
    error = evaluate(3)
    ballast = bytearray(b"x") * (220_000_000 if hasattr(MeanError(), "batches") else 1)
    print(f"OBS error={error!r} size={len(ballast)} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
