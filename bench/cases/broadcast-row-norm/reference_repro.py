"""Largest cosine of a pair, and the lengths of the rows that should be one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from embeddings import embeddings
from nearest import closest
from similarity import unit_rows

if __name__ == "__main__":
    x = embeddings()
    lengths = np.linalg.norm(unit_rows(x), axis=1)
    print(f"OBS cosine={closest(x):.6f} longest_row={lengths.max():.6f}")
