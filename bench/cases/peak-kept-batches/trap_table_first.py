"""Loads a table of 64 MB once, then evaluates in groups: memory rises at the start and stays."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource
from array import array

from evaluate import batches
from metrics import MeanError


def resident_mb():
    with open("/proc/self/statm") as source:
        return int(source.read().split()[1]) * resource.getpagesize() // 2**20


if __name__ == "__main__":
    table = array("d", [0.5]) * 8_000_000
    print(f"table loaded, {resident_mb()} MB")
    errors = []
    for number, targets in enumerate(batches(30)):
        metric = MeanError()
        metric.update(table[: len(targets)], targets)
        errors.append(metric.value())
        if number % 10 == 9:
            print(f"batch {number} {resident_mb()} MB")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"OBS error={sum(errors) / len(errors)!r} peak_mb={peak}")
