"""A metric for each group of ten batches, and the mean of the groups: memory goes up and down."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource
from array import array

from evaluate import batches
from metrics import MeanError

if __name__ == "__main__":
    metric, groups = MeanError(), []
    for number, targets in enumerate(batches(60), start=1):
        metric.update(array("d", [0.5]) * len(targets), targets)
        if number % 10 == 0:
            groups.append(metric.value())
            print(f"group {len(groups)} mean error {groups[-1]:.4f}")
            metric = MeanError()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"OBS error={sum(groups) / len(groups)!r} peak_mb={peak}")
