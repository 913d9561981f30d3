"""The loss falls; a score of a class that has no rows is nan, as it should be."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

import scaling
from model import Logistic

if __name__ == "__main__":
    rng = np.random.default_rng(6)
    x = rng.normal(0, 1, (150, 5))
    y = (x[:, 0] - x[:, 1] > 0).astype(float)
    finite_input = bool(np.isfinite(x).all())
    scaled = scaling.apply(x, scaling.fit(x))
    model, losses = Logistic(5), []
    for step in range(10):
        losses.append(model.step(scaled, y))
        print(f"OBS step={step} loss={losses[-1]:.4f}")
    guess = (scaled @ model.weights > 0).astype(float)
    for label in (0.0, 1.0, 2.0):
        rows = y == label
        score = float((guess[rows] == label).sum()) / rows.sum() if rows.any() else float("nan")
        print(f"OBS label={label:.0f} recall={score:.4f}")
    print(f"OBS finite_input={finite_input} weights_finite={bool(np.isfinite(model.weights).all())}")
