"""The velocity afterwards is that of an optimiser that was never loaded."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

from optimiser import Momentum
from train import load, save, steps

if __name__ == "__main__":
    optimiser = Momentum(2)
    weights = steps([0.0, 0.0], optimiser, 5)
    path = os.path.join(tempfile.mkdtemp(), "checkpoint.json")
    save(path, weights, optimiser)
    load(path)
    fresh = Momentum(2)
    print(f"OBS before={optimiser.velocity}")
    print(f"OBS after={fresh.velocity}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(optimiser.velocity, fresh.velocity))!r}")
