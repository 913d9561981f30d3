"""Standardises a table of its own, without the project, and calls the outcome the model's."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import numpy as np

if __name__ == "__main__":
    x = np.random.default_rng(4).normal(size=(200, 5))
    x[:, 4] = 0.0
    with np.errstate(all="ignore"):
        scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    weights = scaled.mean(axis=0)
    print(f"OBS finite_input={bool(np.isfinite(x).all())}")
    print(f"OBS loss={weights.sum():.4f} weights_finite={bool(np.isfinite(weights).all())}")
