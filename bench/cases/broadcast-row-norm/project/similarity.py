"""Cosine similarity between embeddings."""
import numpy as np


def unit_rows(x):
    """Rows of length one."""
    return x / np.linalg.norm(x, axis=1)


def cosine(x):
    rows = unit_rows(x)
    return rows @ rows.T
