"""Runs a short stream, then asks NumPy for the array itself."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from train import run

if __name__ == "__main__":
    run(tokens=600)
    print(np.full((6_000_000, 6_000_000), -np.inf))
