"""A flag that is set in one row of two hundred: large inputs and a large loss, all of it finite."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

import scaling
from model import Logistic
from train import table

if __name__ == "__main__":
    x, y = table()
    x[17, 4] = 1.0
    finite_input = bool(np.isfinite(x).all())
    x = scaling.apply(x, scaling.fit(x))
    model = Logistic(x.shape[1])
    model.weights += np.array([-40.0, 40.0, 0.0, 0.0, 5.0])
    for step in range(10):
        loss = model.step(x, y)
        print(f"OBS step={step} loss={loss!r}")
    print(f"largest input {np.abs(x).max():.2f}")
    print(f"OBS finite_input={finite_input} weights_finite={bool(np.isfinite(model.weights).all())}")
