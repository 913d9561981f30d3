"""Ours, numpy in single precision twice, and numpy in double precision."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from features import features
from moments import variance

if __name__ == "__main__":
    x = features()
    ours, exact = variance(x), np.var(x.astype(np.float64), axis=0)
    print(f"OBS ours={ours.tolist()}")
    print(f"OBS usual={np.var(x, axis=0).tolist()}")
    print(f"OBS usual_again={np.var(x, axis=0).tolist()}")
    print(f"OBS exact={exact.tolist()}")
    print(f"OBS error={float(np.abs(ours - exact).max())!r}")
