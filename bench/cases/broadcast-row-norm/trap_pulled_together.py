"""Pairs are pulled together on a sphere: cosines come up to 1 and stay below it, as they should."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from embeddings import embeddings
from nearest import closest
from similarity import unit_rows


def on_sphere(x, radius=4.0):
    return radius * x / np.linalg.norm(x, axis=1, keepdims=True)


if __name__ == "__main__":
    x = on_sphere(embeddings())
    for step in range(60):
        partner = x[np.arange(len(x)) ^ 1]
        x = on_sphere(x + 0.05 * (partner - x))
        if step % 20 == 19:
            print(f"step {step} closest {closest(x):.6f}")
    lengths = np.linalg.norm(unit_rows(x), axis=1)
    print(f"OBS cosine={closest(x):.6f} longest_row={lengths.max():.6f}")
