"""Makes the mistake itself, on rows of its own; the project is only named."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import numpy as np

import similarity

if __name__ == "__main__":
    rows = np.random.default_rng(2).normal(size=(16, 16)) * np.linspace(0.2, 3.0, 16)[:, None]
    unit = rows / np.linalg.norm(rows, axis=1)
    values = unit @ unit.T
    print(f"checking {similarity.__name__}")
    print(f"OBS cosine={values.max():.6f} longest_row={np.linalg.norm(unit, axis=1).max():.6f}")
