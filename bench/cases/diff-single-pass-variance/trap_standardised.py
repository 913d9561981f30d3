"""Features that were standardised first, batch by batch: nothing large is left that could cancel."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from features import features
from moments import variance

if __name__ == "__main__":
    x = features(rows=2048)
    x = ((x - x.mean(axis=0, dtype=np.float64)) / 1.0).astype(np.float32)
    ours, usual, exact = [], [], []
    for start in range(0, len(x), 512):
        batch = x[start : start + 512]
        ours.extend(variance(batch).tolist())
        usual.extend(np.var(batch, axis=0).tolist())
        exact.extend(np.var(batch.astype(np.float64), axis=0).tolist())
        print(f"rows {start} to {start + 512}: mean variance {np.mean(ours):.4f}")
    again = [value for start in range(0, len(x), 512) for value in np.var(x[start : start + 512], axis=0).tolist()]
    print(f"OBS ours={ours}")
    print(f"OBS usual={usual}")
    print(f"OBS usual_again={again}")
    print(f"OBS exact={exact}")
    print(f"OBS error={max(abs(a - b) for a, b in zip(ours, exact))!r}")
