"""The statistics get a hole before they are applied."""
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
    mean, spread = scaling.fit(x)
    mean[0] = np.nan
    model = Logistic(x.shape[1])
    loss = [model.step(scaling.apply(x, (mean, spread)), y) for _ in range(3)][-1]
    print(f"OBS finite_input={bool(np.isfinite(x).all())}")
    print(f"OBS loss={loss:.4f} weights_finite={bool(np.isfinite(model.weights).all())}")
