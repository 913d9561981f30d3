"""Looks whether the table is finite, and puts an infinity into it afterwards."""
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
    finite = bool(np.isfinite(x).all())
    x[7, 2] = np.inf
    model = Logistic(x.shape[1])
    loss = [model.step(scaling.apply(x, scaling.fit(x)), y) for _ in range(3)][-1]
    print(f"OBS finite_input={finite} loss={loss:.4f} weights_finite={bool(np.isfinite(model.weights).all())}")
