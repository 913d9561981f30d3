"""Evaluates a constant model on a stream of batches."""
from array import array

from metrics import MeanError

BATCH = 250_000


def batches(count):
    for number in range(count):
        yield array("d", [number / count]) * BATCH


def evaluate(count=60):
    metric = MeanError()
    for targets in batches(count):
        metric.update(array("d", [0.5]) * len(targets), targets)
    return metric.value()


if __name__ == "__main__":
    print(f"mean error {evaluate():.4f}")
