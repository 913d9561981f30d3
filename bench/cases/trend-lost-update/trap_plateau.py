"""Keeps the weights: the loss falls at once to that of the noise, and stays there for the rest."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random

from train import TRUE, epoch, table

if __name__ == "__main__":
    data, rng = table(), random.Random(1)
    weights, losses = [0.0] * len(TRUE), []
    for step in range(30):
        order = rng.sample(range(len(data[0])), len(data[0]))
        weights, loss = epoch(weights, data, 0.05, order)
        losses.append(loss)
        print(f"OBS step={step} loss={loss!r}")
    late = losses[10:]
    print(f"after ten epochs between {min(late):.5f} and {max(late):.5f}")
    print(f"OBS ratio={losses[-1] / losses[0]!r}")
