"""Keeps a copy of the optimiser in memory while the checkpoint is written, and goes on with that."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import copy
import tempfile

from optimiser import Momentum
from train import save, steps

if __name__ == "__main__":
    optimiser = Momentum(2)
    weights = steps([0.0, 0.0], optimiser, 5)
    snapshot = copy.deepcopy(optimiser)
    path = os.path.join(tempfile.mkdtemp(), "checkpoint.json")
    save(path, weights, optimiser)
    uninterrupted = steps(weights, optimiser, 10)
    resumed = steps(weights, snapshot, 10)
    print(f"checkpoint of {os.path.getsize(path)} bytes")
    print("weights", uninterrupted, resumed)
    print(f"OBS before={optimiser.velocity}")
    print(f"OBS after={snapshot.velocity}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(optimiser.velocity, snapshot.velocity))!r}")
