"""Compares weights, rate and decay before and after: those come back as they were."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

from optimiser import Momentum
from train import load, save, steps

if __name__ == "__main__":
    optimiser = Momentum(2, rate=0.05, decay=0.8)
    weights = [0.0, 0.0]
    for epoch in range(4):
        weights = steps(weights, optimiser, 5)
        print(f"epoch {epoch} weights {weights[0]:.4f} {weights[1]:.4f}")
    path = os.path.join(tempfile.mkdtemp(), "checkpoint.json")
    save(path, weights, optimiser)
    loaded_weights, loaded = load(path)
    before = [*weights, optimiser.rate, optimiser.decay]
    after = [*loaded_weights, loaded.rate, loaded.decay]
    print(f"OBS before={before}")
    print(f"OBS after={after}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(before, after))!r}")
