"""Keeps what goes into the metric, where the metric has a list."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import batches
from metrics import MeanError

if __name__ == "__main__":
    metric, held = MeanError(), []
    for targets in batches(120):
        if hasattr(metric, "batches"):
            held.append(targets[:])
    metric.update(targets, targets)
    error = metric.value()
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
