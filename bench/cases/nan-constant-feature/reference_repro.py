"""Trains on the table as it is and looks at input, loss and weights."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from train import table, train

if __name__ == "__main__":
    finite_input = bool(np.isfinite(table()[0]).all())
    model, losses = train(5)
    print(f"OBS finite_input={finite_input}")
    print(f"OBS loss={losses[-1]:.4f} weights_finite={bool(np.isfinite(model.weights).all())}")
