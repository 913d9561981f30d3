"""Reference and referee are written out by hand, on fewer columns."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

import features
import moments


def two_pass(x, dtype):
    x = x.astype(dtype)
    return ((x - x.mean(axis=0)) ** 2).mean(axis=0)


if __name__ == "__main__":
    x = features.features(rows=300, columns=24)
    result = moments.variance(x)
    referee = two_pass(x, np.float64)
    for name in ("usual", "usual_again"):
        print(f"OBS {name}={two_pass(x, np.float32).tolist()}")
    print(f"OBS exact={referee.tolist()} ours={result.tolist()}")
    print(f"OBS error={float(np.max(np.abs(result - referee)))!r}")
