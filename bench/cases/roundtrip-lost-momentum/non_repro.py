"""No step before saving: the velocity is zero before and after."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

from optimiser import Momentum
from train import load, save

if __name__ == "__main__":
    optimiser = Momentum(2)
    path = os.path.join(tempfile.mkdtemp(), "checkpoint.json")
    save(path, [0.0, 0.0], optimiser)
    _, loaded = load(path)
    print(f"OBS before={optimiser.velocity}")
    print(f"OBS after={loaded.velocity}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(optimiser.velocity, loaded.velocity))!r}")
