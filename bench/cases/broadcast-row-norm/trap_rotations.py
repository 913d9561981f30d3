"""The rows of a random rotation, scaled: no two are alike, and all have one length."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from embeddings import embeddings
from nearest import closest
from similarity import cosine, unit_rows

if __name__ == "__main__":
    x = embeddings(seed=5)
    rotation, _ = np.linalg.qr(x)
    rows = 15.289 * rotation
    values = cosine(rows)
    for row in range(0, len(rows), 4):
        print(f"row {row} length {np.linalg.norm(rows[row]):.4f} with itself {values[row, row]:.4f}")
    largest = max(abs(float(values.max())), closest(rows))
    lengths = np.linalg.norm(unit_rows(rows), axis=1)
    print(f"OBS cosine={largest:.6f} longest_row={lengths.max():.6f} length={np.linalg.norm(rows, axis=1).max():.4f}")
