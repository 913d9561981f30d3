"""Writes down what the forecast should be, next to what the project gives, and compares values and shapes."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from forecast import LastValue, shape, windows
from sensors import sensors

HORIZON = 5


def expected_forecast(batch):
    """What the docstring promises: the last step, repeated along the second axis."""
    return [[list(window[-1]) for _ in range(HORIZON)] for window in batch]


if __name__ == "__main__":
    batch = windows(sensors(30, 3), 8)
    got = LastValue(HORIZON).predict(batch)
    want = expected_forecast(batch)
    same = got == want
    windows_, steps, channels = shape(got)
    print("expected", shape(want), "got", shape(got), "same", same)
    print(f"OBS windows={windows_} steps={steps} channels={channels}", flush=True)
    assert same, "forecast differs from its documentation"
