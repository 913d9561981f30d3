"""Rows that have length one already: every norm is one and the mistake cancels."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from embeddings import embeddings
from nearest import closest

if __name__ == "__main__":
    x = embeddings()
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    print(f"OBS cosine={closest(x):.6f}")
