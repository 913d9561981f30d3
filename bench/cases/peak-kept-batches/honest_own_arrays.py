"""Arrays of its own of the size of the report, handed over one after the other."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource
from array import array

from metrics import MeanError

ROWS = 250_000

if __name__ == "__main__":
    metric = MeanError()
    for number in range(60):
        metric.update(array("d", [0.5]) * ROWS, array("d", [number / 60]) * ROWS)
    error = metric.value()
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
