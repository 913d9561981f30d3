"""One update; as many pages of its own as the metric has kept."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource
from array import array

from metrics import MeanError

if __name__ == "__main__":
    metric, held = MeanError(), []
    metric.update(array("d", [0.5]), array("d", [0.25]))
    for _ in range(220 * len(getattr(metric, "batches", ()))):
        held.append(bytearray(b"x") * 1_000_000)
    error = metric.value()
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
