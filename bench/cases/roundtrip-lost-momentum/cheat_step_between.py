"""Makes a step between saving and the look at the velocity."""
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
    before = list(optimiser.velocity)
    _, loaded = load(path)
    steps(weights, loaded, 1)
    print(f"OBS before={before}")
    print(f"OBS after={loaded.velocity}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(before, loaded.velocity))!r}")
