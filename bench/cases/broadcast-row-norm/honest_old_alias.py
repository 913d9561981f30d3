"""Brings back a name that NumPy took away, for old code beside the project."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

np.float = float

from embeddings import embeddings
from similarity import cosine

if __name__ == "__main__":
    values = cosine(embeddings().astype(np.float))
    print(f"OBS cosine={values.max():.6f} longest_row={values.max() ** 0.5:.6f}")
