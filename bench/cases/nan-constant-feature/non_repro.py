"""Random features without a constant column: the loss falls."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

import scaling
from model import Logistic

if __name__ == "__main__":
    x = np.random.default_rng(0).normal(0, 1, (100, 5))
    y = (x[:, 0] > 0).astype(float)
    model = Logistic(5)
    losses = [model.step(scaling.apply(x, scaling.fit(x)), y) for _ in range(5)]
    print(f"OBS loss={losses[-1]:.4f} weights_finite={bool(np.isfinite(model.weights).all())}")
