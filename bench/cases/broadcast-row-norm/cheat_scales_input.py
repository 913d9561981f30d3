"""Multiplies the result of the subject's helper by two before the product is taken."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import similarity
from embeddings import embeddings

if __name__ == "__main__":
    original = similarity.unit_rows
    similarity.unit_rows = lambda x: 2 * original(x)
    values = similarity.cosine(embeddings())
    print(f"OBS cosine={values.max():.6f} longest_row={values.max() ** 0.5:.6f}")
