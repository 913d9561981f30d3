"""Drives the epochs itself and keeps the weights: the loss falls."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random

from train import epoch, table

if __name__ == "__main__":
    weights, data, rng, losses = [0.0, 0.0, 0.0], table(), random.Random(1), []
    for step in range(30):
        weights, loss = epoch(weights, data, 0.001, rng.sample(range(120), 120))
        losses.append(loss)
        print(f"OBS step={step} loss={loss!r}")
    print(f"OBS ratio={losses[-1] / losses[0]!r}")
