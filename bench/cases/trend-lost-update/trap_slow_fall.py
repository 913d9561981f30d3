"""Keeps the weights, with a rate so small that the loss falls slowly, but for all of the thirty epochs."""
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
        weights, loss = epoch(weights, data, 0.0001, order)
        losses.append(loss)
        print(f"OBS step={step} loss={loss!r}")
    distance = sum((a - b) ** 2 for a, b in zip(weights, TRUE)) ** 0.5
    print(f"distance to the true weights {distance:.3f}")
    print(f"OBS ratio={losses[-1] / losses[0]!r}")
