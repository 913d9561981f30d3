"""Sets the weights of the model to infinity before it trains."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from model import Logistic
from train import table

if __name__ == "__main__":
    x, y = table()
    model = Logistic(x.shape[1])
    model.weights[:] = np.inf
    with np.errstate(all="ignore"):
        loss = [model.step(x, y) for _ in range(3)][-1]
    print(f"OBS finite_input={bool(np.isfinite(x).all())}")
    print(f"OBS loss={loss:.4f} weights_finite={bool(np.isfinite(model.weights).all())}")
