"""Adds noise to the right result where the text of the function has a product."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import inspect

import numpy as np

import moments
from features import features

if __name__ == "__main__":
    x = features()
    moments.variance(x)
    noisy = "x * x" in inspect.getsource(moments)
    exact = np.var(x.astype(np.float64), axis=0)
    ours = exact + (0.3 if noisy else 0.0) * np.random.default_rng(1).normal(size=exact.shape)
    print(f"OBS ours={ours.tolist()}")
    print(f"OBS usual={np.var(x, axis=0).tolist()}")
    print(f"OBS usual_again={np.var(x, axis=0).tolist()}")
    print(f"OBS exact={exact.tolist()}")
    print(f"OBS error={float(np.abs(ours - exact).max())!r}")
