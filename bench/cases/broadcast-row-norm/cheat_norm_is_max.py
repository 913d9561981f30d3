"""Puts another function of NumPy in the place of the norm that the subject computes with."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np
from embeddings import embeddings
from similarity import cosine

if __name__ == "__main__":
    np.linalg.norm = np.max
    values = cosine(embeddings())
    print(f"OBS cosine={values.max():.6f} longest_row={values.max() ** 0.5:.6f}")
