"""NumPy's own assertion about the lengths of the rows, after the numbers were reported."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import numpy as np

import embeddings
import nearest
import similarity

if __name__ == "__main__":
    x = embeddings.embeddings()
    lengths = np.linalg.norm(similarity.unit_rows(x), axis=1)
    print(f"OBS cosine={nearest.closest(x):.6f} longest_row={lengths.max():.6f}", flush=True)
    np.testing.assert_allclose(lengths, np.ones(len(x)), rtol=1e-9)
